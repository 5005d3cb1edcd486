/*
 * Copyright (c) 2026, the ZTera authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation. The ZTera authors designate
 * this particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package org.ztera.defaults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.kie.api.runtime.KieSession;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;

class RulesTest {
    private static final int OPERATIONS = 20;

    private final Rules rules = new Rules(1);

    @Test
    void thereIsAWarningOfEachDearOrderAndOfNoOther() {
        rules.load(new Groups(8 << 20, Hints.NONE));
        assertEquals(dear(), warned());
        Set<Integer> loaded = warned();
        for (int operation = 0; operation < OPERATIONS; operation++) {
            rules.operate(operation);
        }
        assertEquals(dear(), warned());
        assertFalse(warned().containsAll(loaded), "no warning was withdrawn");
        assertFalse(loaded.containsAll(warned()), "no warning is new");
    }

    private Set<Integer> dear() {
        Map<Integer, Integer> limits = new HashMap<>();
        session().getObjects().forEach(fact -> {
            if (fact instanceof Rules.Customer customer) {
                limits.put(customer.number(), customer.limit());
            }
        });
        Set<Integer> dear = new TreeSet<>();
        session().getObjects().forEach(fact -> {
            if (fact instanceof Rules.Order order && order.cents() > limits.get(order.customer())) {
                dear.add(order.number());
            }
        });
        return dear;
    }

    private Set<Integer> warned() {
        Set<Integer> warned = new TreeSet<>();
        session().getObjects().forEach(fact -> {
            if (fact instanceof Rules.Warning warning) {
                warned.add(warning.order());
            }
        });
        return warned;
    }

    private KieSession session() {
        return (KieSession) rules.root();
    }
}
