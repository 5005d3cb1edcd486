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
 * A program that hardly allocates reads groups on SSD, while the ordinary heap holds a group that has not moved yet. No
 * allocation forces a collection; the waits alone must.
 */
public final class WaitsForSsd {
    private static final int GROUPS = 30;
    private static final int ARRAYS = 100;
    private static final int BYTES = 100_000;
    /** The first half of as many bytes is random. */
    private static final int PERIOD = 64;
    private static final int READS = 100;

    private static final Random RANDOM = new Random(1);
    private static final byte[][][] GROUP = new byte[GROUPS][][];
    private static byte[][] young;
    private static int sum;

    private WaitsForSsd() {}

    public static void main(String[] args) {
        Child.main(WaitsForSsd::test);
    }

    private static void test() throws InterruptedException {
        for (int g = 0; g < GROUPS; g++) {
            GROUP[g] = group(ARRAYS);
            H2.tag(GROUP[g], g);
            H2.move(g);
        }
        Child.fullGc();
        young = group(4 * ARRAYS);
        H2.tag(young, GROUPS);
        if (Child.h2()) {
            Child.inH1(young[0], "a new group");
            Child.await(WaitsForSsd::movedAfterSomeReads, "a full collection because of waits for the SSD");
        }
    }

    private static boolean movedAfterSomeReads() {
        for (int i = 0; i < READS; i++) {
            sum += GROUP[RANDOM.nextInt(GROUPS)][RANDOM.nextInt(ARRAYS)][RANDOM.nextInt(BYTES)];
        }
        return H2.contains(young[0]);
    }

    private static byte[][] group(int arrays) {
        byte[][] group = new byte[arrays][BYTES];
        byte[] random = new byte[PERIOD / 2];
        for (byte[] array : group) {
            for (int at = 0; at + PERIOD <= BYTES; at += PERIOD) {
                RANDOM.nextBytes(random);
                System.arraycopy(random, 0, array, at, random.length);
            }
        }
        return group;
    }
}
