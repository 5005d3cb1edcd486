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
 * One group is written to once, and then only read. A larger one beside it is written to in turns, so that parts of
 * it are compressed again and again. The first is small and lies in memory, all of it written, when the full GC looks
 * which group had better be in H1: neither is.
 */
public final class WrittenOnce {
    private static final int ARRAY_BYTES = 4096;
    private static final int QUIET_BYTES = 2 << 20;
    private static final int BUSY_BYTES = 24 << 20;
    /** Of the larger group, which so is never compressed again as a whole between two full collections. */
    private static final int WRITTEN_EACH_ROUND = 10 << 20;
    private static final int ROUNDS = 6;

    private static byte[][] quiet;
    private static byte[][] busy;

    private WrittenOnce() {}

    public static void main(String[] args) {
        Child.main(WrittenOnce::test);
    }

    private static void test() {
        quiet = Child.move(arrays(QUIET_BYTES, 1), 1);
        busy = Child.move(arrays(BUSY_BYTES, 2), 2);
        Child.fullGc();
        for (int round = 0; round < ROUNDS; round++) {
            writePartOf(busy, round);
            for (byte[] array : quiet) {
                touch(array, round == 0);
            }
            Child.fullGc();
            Child.inH2(quiet[17], "what was written to once, in round " + round);
            Child.inH2(busy[17], "what is not compressed again as a whole, in round " + round);
        }
        for (byte[] array : quiet) {
            Child.equal((byte) 1, array[ARRAY_BYTES / 2], "what was written");
        }
        Child.check(!Child.h2() || H2Info.read().label(2).value("rewritten_bytes") > QUIET_BYTES,
                "more was compressed again than the small group has");
        Child.check(!Child.h2() || H2.stats().faultCount() > 0, "pages left memory");
    }

    /** Backwards: what is read ahead and not written to would not be compressed again. */
    private static void writePartOf(byte[][] group, int round) {
        int count = WRITTEN_EACH_ROUND / ARRAY_BYTES;
        for (int i = count - 1; i >= 0; i--) {
            group[(round * count + i) % group.length][ARRAY_BYTES / 2]++;
        }
    }

    private static void touch(byte[] array, boolean write) {
        if (write) {
            array[ARRAY_BYTES / 2] = 1;
        } else {
            Child.equal((byte) 1, array[ARRAY_BYTES / 2], "what was written");
        }
    }

    private static byte[][] arrays(int bytes, int group) {
        byte[][] arrays = new byte[bytes / ARRAY_BYTES][];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = Graphs.bytes(ARRAY_BYTES, 100_000L * group + i);
        }
        return arrays;
    }
}
