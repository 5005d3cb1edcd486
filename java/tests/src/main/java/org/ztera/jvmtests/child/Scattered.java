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
import org.ztera.H2;

/**
 * A look at objects that the program has written to, which refer to each other at random: 4 MiB of 28 are resident, and
 * nothing verifies. No shape holds, so all are read. One by one they would come back a million times.
 */
public final class Scattered {
    private static final int N = 800_000;
    /** Of a page each time that its block is visited. */
    private static final long MOST_FAULTS = N / 32;

    private static Node[] nodes;

    private Scattered() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        Child.main(Scattered::test);
    }

    private static void test() {
        Node[] all = new Node[N];
        for (int i = 0; i < N; i++) {
            all[i] = new Node(i);
        }
        nodes = Child.move(all, 1);
        Random random = new Random(1);
        for (Node node : nodes) {
            node.left = nodes[random.nextInt(N)];
            node.right = nodes[random.nextInt(N)];
        }
        Node[] few = {nodes[0], nodes[1], nodes[2]};
        nodes = null;
        look();
        check(few);
    }

    private static void look() {
        long before = H2.stats().faultCount();
        if (Child.h2()) {
            Jcmd.run("gcH2Live");
        } else {
            System.gc();
        }
        long faults = H2.stats().faultCount() - before;
        System.out.println("faults in a look: " + faults);
        Child.check(faults <= MOST_FAULTS, faults + " faults in a look");
    }

    /** A walk by links ends where it must. */
    private static void check(Node[] few) {
        Random random = new Random(1);
        int[] left = new int[N];
        int[] right = new int[N];
        for (int i = 0; i < N; i++) {
            left[i] = random.nextInt(N);
            right[i] = random.nextInt(N);
        }
        for (int start = 0; start < few.length; start++) {
            Node node = few[start];
            int i = start;
            for (int step = 0; step < 10_000; step++) {
                Child.equal((long) i, node.value, "node");
                boolean turnsLeft = step % 3 == 0;
                i = turnsLeft ? left[i] : right[i];
                node = turnsLeft ? node.left : node.right;
            }
        }
    }
}
