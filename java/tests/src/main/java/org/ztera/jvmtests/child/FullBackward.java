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

import java.util.Random;

/**
 * Full collections move the old objects that H2 refers to, and the H2 fields follow, through chains that
 * cross between the heaps many times and are rewritten in both directions.
 */
public final class FullBackward {
    private static final int N = 3000;

    private static Node[] h1 = new Node[N];
    private static Node[] h2 = new Node[N];
    private static final int[] h1Target = new int[N];
    private static final int[] h2Target = new int[N];
    private static byte[][] holes;

    private FullBackward() {}

    public static void main(String[] args) {
        Child.main(FullBackward::test);
    }

    private static void test() {
        for (int i = 0; i < N; i++) {
            h1[i] = new Node(i);
            h2[i] = new Node(-i);
        }
        h2 = Child.move(h2, 1);
        Random random = new Random(42);
        for (int round = 0; round < 6; round++) {
            rewire(random, 2000);
            check();
            makeHoles(round);
            Child.fullGc();
            check();
            rewire(random, 500);
            Child.youngGcs(1);
            check();
        }
        longChain();
    }

    /** Payload of h1[i] is h2[h1Target[i]] and the other way round: cycles through both heaps. */
    private static void rewire(Random random, int stores) {
        for (int k = 0; k < stores; k++) {
            int i = random.nextInt(N);
            int j = random.nextInt(N);
            h1[i].payload = h2[j];
            h1Target[i] = j;
            i = random.nextInt(N);
            j = random.nextInt(N);
            h2[i].payload = h1[j];
            h2Target[i] = j;
            if (k % 10 == 0) {
                replaceInH1(random.nextInt(N));
            }
        }
    }

    /** A new object takes the place of an old one, so that old space is freed and compaction shifts. */
    private static void replaceInH1(int i) {
        Node old = h1[i];
        Node fresh = new Node(i);
        fresh.payload = old.payload;
        h1[i] = fresh;
        for (int j = 0; j < N; j++) {
            if (h2[j].payload == old) {
                h2[j].payload = fresh;
            }
        }
    }

    private static void makeHoles(int round) {
        holes = null;
        byte[][] now = new byte[200][];
        for (int i = 0; i < now.length; i++) {
            now[i] = new byte[5000 + 100 * round + i];
        }
        holes = now;
    }

    private static void check() {
        for (int i = 0; i < N; i++) {
            Node a = (Node) h1[i].payload;
            Child.check(a == null || a == h2[h1Target[i]] && a.value == -h1Target[i], "H1 to H2, " + i);
            Node b = (Node) h2[i].payload;
            Child.check(b == null || b == h1[h2Target[i]] && b.value == h2Target[i], "H2 to H1, " + i);
        }
    }

    /** H1 to H2 to H1 and so on, reachable from one end only. */
    private static void longChain() {
        for (int i = 0; i < N; i++) {
            h2[i].payload = null;
            h1[i].payload = h2[i];
            h2[i].payload = i + 1 < N ? h1[i + 1] : null;
        }
        Node first = h1[0];
        h1 = null;
        Child.fullGcs(2);
        Child.youngGcs(1);
        int length = 0;
        for (Node n = first; n != null; n = (Node) n.payload) {
            Child.equal((long) (length % 2 == 0 ? length / 2 : -(length / 2)), n.value, "link " + length);
            length++;
        }
        Child.equal(2 * N, length, "length of the chain");
    }
}
