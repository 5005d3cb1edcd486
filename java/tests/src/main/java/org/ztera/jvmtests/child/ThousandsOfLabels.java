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

import org.ztera.H2;

/**
 * Thousands of small groups, each of a label of its own, move in one full collection: what that takes depends on the
 * objects, and a label needs little more of H2 than its objects do. Run with an H2 that has no room for a region of 2
 * MiB for each label.
 *
 * <p>Then one group of all the same bytes moves, to compare: the times are printed, not judged.
 */
public final class ThousandsOfLabels {
    private static byte[][][] groups;
    private static byte[][] one;

    private ThousandsOfLabels() {}

    public static void main(String[] args) {
        Child.main(() -> test(args[0].equals("asked"), Integer.parseInt(args[1]), Integer.parseInt(args[2])));
    }

    private static void test(boolean asked, int labels, int arrays) {
        groups = new byte[labels][][];
        for (int i = 0; i < labels; i++) {
            groups[i] = build(arrays, i);
            H2.tag(groups[i], label(i));
        }
        for (int i = 0; asked && i < labels; i++) {
            H2.move(label(i));
        }
        long start = System.nanoTime();
        Child.fullGc();
        double seconds = (System.nanoTime() - start) / 1e9;
        long bytes = (long) labels * arrays * BYTES;
        for (int i = 0; i < labels; i++) {
            check(groups[i], i);
        }
        long perLabel = 1 + 2L * arrays * BYTES / Math.max(1, H2Stats.regionBytes());
        H2Stats.atMost(labels * perLabel + 8, H2Stats.regionsUsed(), "regions of " + labels + " labels");
        groups = null;
        Child.fullGc();
        H2Stats.exactly(0, H2Stats.used(), "used bytes when all labels are dropped");
        one = build(labels * arrays, 1);
        H2.tag(one, 1);
        if (asked) {
            H2.move(1);
        }
        start = System.nanoTime();
        Child.fullGc();
        double alone = (System.nanoTime() - start) / 1e9;
        Child.inH2(one, "one group of the same size");
        System.out.printf("TIME %d labels, %d bytes: %.3f s; one label: %.3f s%n", labels, bytes, seconds, alone);
    }

    private static final int BYTES = 2000;

    /** They differ in what a careless hash does not look at. */
    private static long label(int i) {
        return ((long) i << 32) | 7;
    }

    private static byte[][] build(int arrays, int seed) {
        byte[][] group = new byte[arrays][];
        for (int i = 0; i < arrays; i++) {
            group[i] = Graphs.bytes(BYTES, seed + i);
        }
        return group;
    }

    private static void check(byte[][] group, int seed) {
        Child.inH2(group, "the root of group " + seed);
        for (int i = 0; i < group.length; i++) {
            Child.inH2(group[i], "an array of group " + seed);
            Graphs.checkBytes(group[i], seed + i, "group " + seed);
        }
    }
}
