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
package org.ztera.fuzz.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.ztera.kit.Oops;

class ModeTest {
    @Test
    void aModeIsReadAsItIsWritten() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 500; i++) {
            Mode m = Mode.draw(random, true);
            assertEquals(m, Mode.parse(m.toString()));
        }
    }

    @Test
    void whatIsNoWordIsRefused() {
        for (String text : List.of("c3", "", ",wide", "threads", "threads0x2", "stress99999999999")) {
            assertThrows(IllegalArgumentException.class, () -> Mode.parse(text), text);
        }
    }

    @Test
    void aSpreadHasEveryWord() {
        for (long seed = 0; seed < 20; seed++) {
            Set<String> words = new HashSet<>();
            for (Mode m : Mode.spread(12, seed, true)) {
                words.addAll(List.of(m.toString().replaceAll("stress[0-9]+", "stress").split(",")));
            }
            int all = Exec.values().length + Oops.values().length + Below.values().length + Size.values().length
                    + Set.of("compact", "threads1", "threads2", "threads4", "stress", "dedup", "debug").size();
            assertEquals(all, words.size(), words.toString());
        }
    }

    @Test
    void simplerModesEndAtThePlainOne() {
        Mode m = Mode.parse("c2first,based,compact,file,tiny,threads4,stress9,dedup,debug");
        int steps = 0;
        while (!m.simpler().isEmpty()) {
            m = m.simpler().getFirst();
            steps++;
        }
        assertEquals(Mode.PLAIN, m);
        assertTrue(steps <= 9, steps + " steps");
    }
}
