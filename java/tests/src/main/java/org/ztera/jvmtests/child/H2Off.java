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
package org.ztera.jvmtests.child;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.ztera.H2;

/** Without {@code H2Size}: the API answers, nothing moves, nothing shows. */
public final class H2Off {
    private H2Off() {}

    public static void main(String[] args) {
        Child.mainWithoutH2(H2Off::test);
    }

    private static void test() throws Exception {
        Child.check(!H2.isEnabled(), "H2 is enabled");
        Node list = Graphs.list(100, 1);
        H2.tag(list, 1);
        H2.move(1);
        Child.fullGc();
        H2.moveNow(1);
        Child.inH1(list, "an object");
        Child.equal(Graphs.listSum(100, 1), Graphs.sum(list), "sum");
        Child.equal(H2.Stats.NONE, H2.stats(), "statistics");
        List<String> pools = ManagementFactory.getMemoryPoolMXBeans().stream().map(p -> p.getName()).toList();
        Child.check(pools.stream().noneMatch(p -> p.contains("H2")), "memory pools: " + pools);
        Child.ready();
    }
}
