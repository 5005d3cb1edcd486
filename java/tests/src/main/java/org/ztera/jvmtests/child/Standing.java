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

/**
 * All objects of a group in H2 refer to one in H1, which may not move there. In each round, something small before it
 * dies, and another group moves to H2.
 */
public final class Standing {
    private static final int N = 100_000;
    private static final int ROUNDS = 24;
    private static final int OTHERS = 20_000;

    private static final Object referent = new Object();
    private static final byte[][] before = new byte[ROUNDS][];
    private static final byte[][] pads = new byte[ROUNDS][];
    private static final Node[] others = new Node[ROUNDS];
    private static final byte[][] behind = new byte[64][];
    private static Object hub;
    private static Node list;

    private Standing() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        Child.main(Standing::test);
    }

    private static void test() {
        for (int i = 0; i < ROUNDS; i++) {
            before[i] = new byte[1000];
        }
        Child.fullGcs(2);
        hub = new WeakReference<>(referent);
        Child.fullGcs(2);
        for (int i = 0; i < behind.length; i++) {
            behind[i] = new byte[64 << 10];
        }
        Child.fullGcs(2);
        list = Graphs.listOver(N, hub);
        Child.move(list, 1);
        Child.fullGcs(2);
        for (int round = 0; round < ROUNDS; round++) {
            before[round] = null;
            // Where objects begin in a region of the collector's varies by it.
            pads[round] = new byte[8 * round];
            others[round] = Graphs.list(OTHERS, round);
            Child.fullGcs(1);
            Child.move(others[round], 2 + round);
        }
        check();
    }

    private static void check() {
        for (Node n = list; n != null; n = n.left) {
            Child.check(n.payload == hub, "node " + n.value + " refers to the hub");
        }
        Child.equal(Graphs.listSum(N, 0), Graphs.sum(list), "the list");
        for (int round = 0; round < ROUNDS; round++) {
            Child.equal(Graphs.listSum(OTHERS, round), Graphs.sum(others[round]), "another list");
        }
    }
}
