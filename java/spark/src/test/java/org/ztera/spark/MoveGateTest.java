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
import org.ztera.spark.MoveGate.View;

class MoveGateTest {
    private static final View BEFORE = new View(100, 0, 7, 0, 50);
    private static final View REFUSED = new View(60, 40, 7, 0, 50);

    private final MoveGate gate = new MoveGate();

    @Test
    void nothingToMoveNeedsNoCollection() {
        assertFalse(gate.isOpen(new View(0, 0, 0, 0, 50)));
        assertTrue(gate.isOpen(BEFORE));
    }

    @Test
    void staysOpenWhileMostMoves() {
        gate.moved(BEFORE, new View(50, 50, 7, 0, 50));
        assertTrue(gate.isOpen(new View(50, 50, 7, 0, 50)));
    }

    @Test
    void closesWhenMostStays() {
        gate.moved(BEFORE, REFUSED);
        assertFalse(gate.isOpen(REFUSED));
        assertFalse(gate.isOpen(new View(90, 40, 7, 49, 50)), "more blocks in H1 make no room in H2");
    }

    @Test
    void opensWhenThereMayBeRoom() {
        gate.moved(BEFORE, REFUSED);
        assertTrue(gate.isOpen(new View(60, 39, 7, 0, 50)), "a block in H2 was unpersisted");
        assertTrue(gate.isOpen(new View(60, 40, 8, 0, 50)), "a region died");
        assertTrue(gate.isOpen(new View(60, 40, 7, 50, 50)), "other data is cached");
    }

    @Test
    void closesWhenH2HoldsTooMuch() {
        gate.moved(BEFORE, new View(0, 100, 7, 0, 50));
        gate.refuse(new View(20, 60, 9, 40, 50));
        assertFalse(gate.isOpen(new View(30, 60, 9, 40, 50)));
        assertTrue(gate.isOpen(new View(30, 50, 9, 40, 50)), "a block in H2 was unpersisted");
    }

    @Test
    void aMoveThatGoesWellForgetsTheRefusal() {
        gate.moved(BEFORE, REFUSED);
        gate.moved(BEFORE, new View(0, 100, 9, 0, 50));
        assertTrue(gate.isOpen(new View(10, 100, 9, 0, 50)));
    }
}
