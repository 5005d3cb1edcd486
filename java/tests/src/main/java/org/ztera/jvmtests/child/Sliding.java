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
 * All objects of a group in H2 refer to a few in H1, and these move in each full GC, as something before them has died.
 * The program writes to some objects of the group meanwhile. Most of H2 is compressed.
 */
public final class Sliding {
    private static final int N = 600_000;
    private static final int HUBS = 16;
    private static final int ROUNDS = 4;
    private static final int WRITTEN = 5_000;

    private static final Object referent = new Object();
    private static final byte[][] before = new byte[ROUNDS][];
    private static final Object[] hubs = new Object[HUBS];
    private static Node list;
    private static Object garbage;

    private Sliding() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        Child.main(Sliding::test);
    }

    private static void test() {
        for (int i = 0; i < ROUNDS; i++) {
            before[i] = new byte[2 << 20];
        }
        Child.fullGcs(2);
        for (int i = 0; i < HUBS; i++) {
            hubs[i] = new WeakReference<>(referent);
        }
        list = Graphs.listOver(N, hubs);
        Child.fullGcs(2);
        Child.move(list, 1);
        Child.fullGcs(2);

        long faults = 0;
        for (int round = 0; round < ROUNDS; round++) {
            write(round);
            collectYoung();
            before[round] = null;
            long now = H2.stats().faultCount();
            Child.fullGcs(1);
            faults += H2.stats().faultCount() - now;
        }
        H2Stats.atMost(N / 4000, faults, "faults of full GCs");
        check();
    }

    /** Some objects refer to the next hub. */
    private static void write(int round) {
        int written = 0;
        for (Node n = list; written < WRITTEN; n = n.left, written++) {
            n.payload = hubs[((int) n.value + round + 1) % HUBS];
        }
    }

    private static void collectYoung() {
        for (int i = 0; i < 2_000; i++) {
            garbage = new byte[64 << 10];
        }
        garbage = null;
    }

    private static void check() {
        long sum = 0;
        int place = 0;
        for (Node n = list; n != null; n = n.left, place++) {
            int expected = (int) n.value + (place < WRITTEN ? ROUNDS : 0);
            Child.check(n.payload == hubs[expected % HUBS], "node " + n.value + " refers to its hub");
            sum += n.value;
        }
        Child.equal(Graphs.listSum(N, 0), sum, "the list");
    }
}
