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
package org.ztera.jvmtests.stress;

import java.lang.ref.Reference;
import java.util.BitSet;

/** One walk over all cells that a world's groups reach, comparing them with the shadow on the way. */
final class Walk {
    private final World world;
    private final Shadow shadow;
    private final Cell[] seen = new Cell[Shadow.CAPACITY];
    private final int[] order = new int[Shadow.CAPACITY];
    private int count;

    Walk(World world) {
        this.world = world;
        this.shadow = world.shadow;
    }

    /** Checks everything; returns the number of cells. */
    int verify() {
        walk();
        for (int i = 0; i < count; i++) {
            verifyReference(seen[order[i]]);
        }
        return count;
    }

    /** Erases, wherever it is reachable, each reference to these cells. */
    void cut(BitSet gone) {
        walk();
        for (int i = 0; i < count; i++) {
            Cell cell = seen[order[i]];
            if (cell.a != null && gone.get(cell.a.id)) {
                world.setA(cell, null);
            }
            if (cell.b != null && gone.get(cell.b.id)) {
                world.setB(cell, null);
            }
            cutPayload(cell, gone);
        }
    }

    private void cutPayload(Cell cell, BitSet gone) {
        int[] fan = shadow.fan[cell.id];
        for (int k = 0; fan != null && k < fan.length; k++) {
            if (fan[k] >= 0 && gone.get(fan[k])) {
                if (shadow.kind[cell.id] == Payloads.FAN) {
                    world.setFan(cell, k, null);
                } else if (shadow.kind[cell.id] == Payloads.PAIR || shadow.kind[cell.id] == Payloads.SOFT) {
                    world.setPayload(cell, Payloads.NONE, 0, null);
                    return;
                }
            }
        }
    }

    private void walk() {
        world.roots(this);
        for (int i = 0; i < count; i++) {
            follow(seen[order[i]]);
        }
    }

    /** Meets a cell by a reference that the shadow knows. */
    void visit(Cell cell) {
        if (seen[cell.id] == null) {
            Stress.check(cell.uid == shadow.uid[cell.id], "uid", cell, shadow);
            seen[cell.id] = cell;
            order[count++] = cell.id;
        }
        Stress.check(seen[cell.id] == cell, "two objects for one cell", cell, shadow);
    }

    private void edge(Cell from, Cell to, int expected, String name) {
        Stress.check((to == null ? -1 : to.id) == expected, name, from, shadow);
        if (to != null) {
            visit(to);
        }
    }

    private void follow(Cell cell) {
        int id = cell.id;
        Stress.check(cell.value == shadow.value[id], "value", cell, shadow);
        Stress.check(cell.locked == shadow.locked[id], "increments under its monitor", cell, shadow);
        Stress.check(shadow.hash[id] == 0 || System.identityHashCode(cell) == shadow.hash[id], "identity hash", cell, shadow);
        edge(cell, cell.a, shadow.a[id], "field a");
        edge(cell, cell.b, shadow.b[id], "field b");
        switch (shadow.kind[id]) {
            case Payloads.FAN -> fan(cell);
            case Payloads.PAIR -> {
                Payloads.Pair pair = (Payloads.Pair) cell.payload;
                Stress.check(pair.number() == shadow.seed[id], "number of its pair", cell, shadow);
                edge(cell, pair.cell(), shadow.fan[id][0], "cell of its pair");
            }
            case Payloads.SOFT -> {
                // Not cleared while memory is enough; where it was, its cell need not be reachable.
                Object referent = ((Reference<?>) cell.payload).get();
                if (referent != null) {
                    edge(cell, (Cell) referent, shadow.fan[id][0], "soft referent");
                }
            }
            case Payloads.WEAK -> { }
            default -> Stress.check(Payloads.isRight(shadow.kind[id], shadow.seed[id], cell.payload), "payload", cell, shadow);
        }
    }

    private void fan(Cell cell) {
        Cell[] fan = (Cell[]) cell.payload;
        int[] expected = shadow.fan[cell.id];
        Stress.check(fan.length == expected.length, "length of its fan", cell, shadow);
        for (int i = 0; i < fan.length; i++) {
            edge(cell, fan[i], expected[i], "fan");
        }
    }

    /**
     * A weak or soft referent that this walk found strongly reachable must be there; of another it must be
     * the right one or none.
     */
    private void verifyReference(Cell cell) {
        byte kind = shadow.kind[cell.id];
        if (kind != Payloads.WEAK && kind != Payloads.SOFT) {
            return;
        }
        int target = shadow.fan[cell.id][0];
        long uid = shadow.seed[cell.id];
        Cell referent = (Cell) ((Reference<?>) cell.payload).get();
        boolean reachable = seen[target] != null && seen[target].uid == uid;
        Stress.check(referent == null ? !reachable : referent.uid == uid, "referent of its reference", cell, shadow);
        Stress.check(!reachable || referent == seen[target], "identity of its referent", cell, shadow);
    }
}
