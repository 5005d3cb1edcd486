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
package org.ztera.spark;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.ztera.H2;

class EarlyMoveTest {
    /** Plain and stored bytes in memory, and on SSD. */
    private static H2.Stats stats(long plain, long stored, long plainOnSsd, long storedOnSsd) {
        return new H2.Stats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, plain, stored, stored, 0, 0, 0, plainOnSsd, storedOnSsd, 0, 0);
    }

    @Test
    void aQuarterOfTheStorageMemoryIsWorthACollection() {
        assertFalse(EarlyMove.isWorthAsking(24, 100));
        assertTrue(EarlyMove.isWorthAsking(25, 100));
    }

    @Test
    void dataThatCompressMove() {
        assertTrue(EarlyMove.pays(stats(150, 100, 0, 0)));
        assertTrue(EarlyMove.pays(stats(10, 10, 500, 200)), "those on the SSD count as well");
    }

    @Test
    void dataThatDoNotCompressStay() {
        assertFalse(EarlyMove.pays(stats(149, 100, 0, 0)));
        assertFalse(EarlyMove.pays(stats(4, 2, 283, 287)));
    }

    @Test
    void nothingMovesEarlyWhileMemoryIsNotShort() {
        assertFalse(EarlyMove.pays(H2.Stats.NONE), "H2 is empty, or all of it is plain");
    }
}
