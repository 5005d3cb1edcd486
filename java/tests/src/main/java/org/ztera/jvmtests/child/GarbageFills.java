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

import java.lang.ref.WeakReference;
import org.ztera.H2;

/**
 * One group whose parts are replaced all the time, as an index merges its segments: the regions of what was
 * replaced are kept by an old reference of the table, or by the few arrays that live on between the dead ones.
 * Without anybody asking for a look, all that lives must find room, many times over. Run with an H2 of 64 MiB.
 */
public final class GarbageFills {
    private static final int ROUNDS = 24;
    private static final int ARRAYS = 240;
    private static final int BYTES = 65_000;
    /** One array of so many is kept longer, */
    private static final int KEPT = 16;
    /** for so many rounds. */
    private static final int LONG = 8;

    private static final int NODES = 2000;

    private static Object[] table;

    private GarbageFills() {}

    private static final class Segment {
        final byte[][] arrays = new byte[ARRAYS][];
        final Node nodes;

        Segment(int round) {
            for (int i = 0; i < ARRAYS; i++) {
                arrays[i] = Graphs.bytes(BYTES, seed(round, i));
            }
            nodes = Graphs.list(NODES, round);
        }
    }

    public static void main(String[] args) {
        Child.main(GarbageFills::test);
    }

    private static void test() throws Exception {
        table = Child.move(new Object[LONG + 1], 1);
        WeakReference<Object> before = new WeakReference<>(new Object());
        for (int round = 0; round < ROUNDS; round++) {
            Segment segment = new Segment(round);
            table[LONG] = segment;
            table[round % LONG] = kept(segment);
            H2.moveNow(1);
            // A move that finds no room goes on in the next collection, and so does the search for garbage.
            Child.fullGcs(2);
            check(round);
            referBack(segment);
            before = new WeakReference<>(segment);
        }
        H2Stats.atLeast((ROUNDS - 1) * (long) ARRAYS * BYTES, H2Stats.movedBytes(), "moved bytes");
        table[LONG] = null;
        if (Child.h2()) {
            Jcmd.run("gcH2Live");
        } else {
            System.gc();
        }
        Child.check(before.refersTo(null), "a look clears weak references to what is dead among what lives");
    }

    private static byte[][] kept(Segment segment) {
        byte[][] kept = new byte[ARRAYS / KEPT][];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = segment.arrays[i * KEPT];
        }
        return kept;
    }

    /** The objects that die next refer to H1, young and old, and to what lives on. */
    private static void referBack(Segment segment) {
        Object old = new Object();
        System.gc();
        int i = 0;
        for (Node n = segment.nodes; n != null; n = n.left) {
            n.payload = i % 3 == 0 ? new Node(i) : i % 3 == 1 ? old : segment.arrays[i % ARRAYS];
            i++;
        }
    }

    private static void check(int round) {
        Segment segment = (Segment) table[LONG];
        Child.inH2(segment, "segment of round " + round);
        for (int i = 0; i < ARRAYS; i++) {
            Child.inH2(segment.arrays[i], "array " + i + " of round " + round);
            Graphs.checkBytes(segment.arrays[i], seed(round, i), "round " + round);
        }
        Child.equal(Graphs.listSum(NODES, round), Graphs.sum(segment.nodes), "list of round " + round);
        for (int age = 0; age < LONG && age <= round; age++) {
            byte[][] kept = (byte[][]) table[(round - age) % LONG];
            for (int i = 0; i < kept.length; i++) {
                Graphs.checkBytes(kept[i], seed(round - age, i * KEPT), "kept for " + age + " rounds");
            }
        }
    }

    private static long seed(int round, int i) {
        return 1000L * round + i;
    }
}
