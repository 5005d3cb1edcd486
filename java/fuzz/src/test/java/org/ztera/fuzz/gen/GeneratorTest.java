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
package org.ztera.fuzz.gen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ztera.fuzz.program.Emitter;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.program.Stmt;

class GeneratorTest {
    private static String source(long seed) {
        return Emitter.emit(Generator.program(seed));
    }

    @Test
    void aSeedAlwaysGivesTheSameSource() {
        for (long seed = 0; seed < 50; seed++) {
            assertEquals(source(seed), source(seed), "seed " + seed);
        }
    }

    @Test
    void otherSeedsGiveOtherPrograms() {
        Program a = Generator.program(1);
        Program b = Generator.program(2);
        assertNotEquals(a.main(), b.main());
        assertNotEquals(a.className(), b.className());
    }

    @Test
    void everyFeatureIsUsed() {
        Set<String> used = new HashSet<>();
        for (long seed = 0; seed < 400; seed++) {
            Program p = Generator.program(seed);
            collect(p.main(), used);
            p.methods().forEach(m -> collect(m.body(), used));
        }
        Set<String> unused = new HashSet<>(Generator.features());
        unused.removeAll(used);
        assertEquals(Set.of(), unused);
    }

    private static void collect(List<Stmt> stmts, Set<String> used) {
        for (Stmt s : stmts) {
            used.add(s.feature());
            if (s.isBlock()) {
                collect(s.body(), used);
            }
        }
    }
}
