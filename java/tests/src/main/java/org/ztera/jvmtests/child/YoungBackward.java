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

/**
 * Young objects that only an H2 object refers to survive young collections, are promoted and compacted,
 * and the reference always follows: the card of the store is what tells the collector.
 */
public final class YoungBackward {
    private static final int N = 4000;

    private static Node root;
    private static Object[] array;

    private YoungBackward() {}

    public static void main(String[] args) {
        Child.main(YoungBackward::test);
    }

    private static void test() {
        root = Child.move(Graphs.list(N, 0), 1);
        array = Child.move(new Object[N], 2);
        for (int round = 0; round < 6; round++) {
            storeEvery(round % 3 + 1, round);
            Child.youngGcs(1);
            check(round % 3 + 1, round);
            storeEvery(7, round + 100);
            check(7, round + 100);
            Child.youngGcs(3);
            check(7, round + 100);
            if (round % 2 == 1) {
                Child.fullGc();
                check(7, round + 100);
            }
        }
        erase();
        Child.fullGc();
        hotStores();
    }

    private static void storeEvery(int step, int round) {
        for (Node n = root; n != null; n = n.left) {
            if (n.value % step == 0) {
                n.payload = fresh(n.value, round);
                array[(int) n.value] = fresh(-n.value, round);
            }
        }
    }

    /** A small young graph, so that the collector must follow what it finds. */
    private static Node fresh(long value, int round) {
        Node node = new Node(value * 1000 + round);
        node.left = new Node(node.value + 1);
        node.payload = new long[] {node.value + 2};
        return node;
    }

    private static void check(int step, int round) {
        for (Node n = root; n != null; n = n.left) {
            if (n.value % step == 0) {
                checkFresh((Node) n.payload, n.value, round);
                checkFresh((Node) array[(int) n.value], -n.value, round);
            }
        }
    }

    private static void checkFresh(Node node, long value, int round) {
        Child.equal(value * 1000 + round, node.value, "young node");
        Child.equal(node.value + 1, node.left.value, "next of a young node");
        Child.equal(node.value + 2, ((long[]) node.payload)[0], "array of a young node");
        Child.inH1(node, "a young node");
    }

    private static void erase() {
        for (Node n = root; n != null; n = n.left) {
            n.payload = null;
        }
        java.util.Arrays.fill(array, null);
    }

    /** Enough stores in one loop for the compiled code's barrier to be the one that runs. */
    private static void hotStores() {
        for (int i = 0; i < 400_000; i++) {
            array[i % N] = new long[] {i};
        }
        for (int i = 0; i < N; i++) {
            Child.equal((long) (400_000 - N + i), ((long[]) array[i])[0], "element " + i);
        }
        Child.youngGcs(1);
        for (int i = 0; i < N; i++) {
            Child.equal((long) (400_000 - N + i), ((long[]) array[i])[0], "element " + i);
        }
    }
}
