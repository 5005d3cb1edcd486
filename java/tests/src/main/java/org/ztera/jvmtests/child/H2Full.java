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

import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * More is asked to move than H2 (or its pool) can hold: what does not fit stays in H1, everything stays
 * intact and usable, an ordinary OutOfMemoryError comes at H1's limit and can be survived, and room that
 * comes free is used. The argument is the least number of bytes that must fit.
 */
public final class H2Full {
    private static final int GROUPS = 8;
    private static final int ARRAYS = 50;
    private static final int BYTES = 100_000;

    private static byte[][][] groups = new byte[GROUPS][][];
    private static List<byte[]> hoard;

    private H2Full() {}

    public static void main(String[] args) {
        long fits = Long.parseLong(args[0]);
        Child.main(() -> {
            overfill(fits);
            writeAll();
            outOfMemory();
            roomIsUsedAgain();
        });
    }

    private static void overfill(long fits) {
        for (int g = 0; g < GROUPS; g++) {
            groups[g] = new byte[ARRAYS][];
            for (int i = 0; i < ARRAYS; i++) {
                groups[g][i] = Graphs.bytes(BYTES, g * 100 + i);
            }
            H2.tag(groups[g], g);
            H2.move(g);
        }
        Child.fullGcs(3);
        check(0);
        long inH2 = countInH2();
        H2Stats.atLeast(fits, inH2, "bytes that found room");
        H2Stats.atMost((long) GROUPS * ARRAYS * BYTES - 1_000_000, inH2, "bytes that found room");
    }

    private static long countInH2() {
        long bytes = 0;
        for (byte[][] group : groups) {
            for (byte[] b : group) {
                bytes += H2.contains(b) ? BYTES : 0;
            }
        }
        return bytes;
    }

    private static void check(int version) {
        for (int g = 0; g < GROUPS; g++) {
            for (int i = 0; groups[g] != null && i < ARRAYS; i++) {
                Graphs.checkBytes(groups[g][i], version + g * 100 + i, "group " + g);
            }
        }
    }

    /** New content that does not compress, everywhere: there must be a place for it. */
    private static void writeAll() {
        for (int g = 0; g < GROUPS; g++) {
            for (int i = 0; i < ARRAYS; i++) {
                Graphs.fill(groups[g][i], 5000 + g * 100 + i);
            }
        }
        Child.fullGc();
        check(5000);
    }

    private static void outOfMemory() {
        hoard = new ArrayList<>();
        try {
            while (true) {
                hoard.add(new byte[200_000]);
            }
        } catch (OutOfMemoryError expected) {
            hoard = null;
        }
        Child.fullGc();
        check(5000);
    }

    /** The part of a group that found none before goes where the rest is, without being tagged again. */
    private static void roomIsUsedAgain() {
        for (int g = 0; g < GROUPS - 1; g++) {
            groups[g] = null;
        }
        Child.fullGc();
        H2.moveNow(GROUPS - 1);
        Child.inH2(groups[GROUPS - 1], "the last group");
        for (byte[] b : groups[GROUPS - 1]) {
            Child.inH2(b, "an array of the last group");
        }
        check(5000);
    }
}
