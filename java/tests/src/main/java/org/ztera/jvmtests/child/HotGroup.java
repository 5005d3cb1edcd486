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

import java.util.Arrays;
import java.util.Random;
import org.ztera.H2;

/**
 * A group that is written to all the time, and compressed again all the time, is brought back by a full GC; others
 * stay.
 */
public final class HotGroup {
    private static final int GROUP_BYTES = 12 << 20;
    private static final int ARRAY_BYTES = 4096;
    private static final int MOST_ROUNDS = 20;

    private static byte[][] hot;
    private static byte[][] read;

    private HotGroup() {}

    public static void main(String[] args) {
        Child.main(HotGroup::test);
    }

    private static void test() {
        hot = Child.move(arrays(1), 1);
        read = Child.move(arrays(2), 2);
        readOnlyStays();
        int rounds = 0;
        for (; rounds < MOST_ROUNDS && (H2.contains(hot) || !Child.h2()); rounds++) {
            write(rounds);
        }
        Child.inH1(hot[17], "what is written to");
        Child.inH2(read[17], "what is only read");
        for (int i = 0; i < hot.length; i++) {
            byte[] expected = Graphs.bytes(ARRAY_BYTES, seed(1, i));
            for (int at = 0; at < 2 * rounds; at++) {
                expected[at] = (byte) (i + at);
            }
            Child.check(Arrays.equals(expected, hot[i]), "what was written");
        }
        check(read, 2);
        Child.check(!Child.h2() || H2Info.read().value("returned_bytes") >= GROUP_BYTES, "all of the group returned");
        H2.moveNow(1);
        Child.inH2(hot, "the root of what returned, which is tagged as before");
        Child.inH2(hot[17], "what it holds");
    }

    private static void readOnlyStays() {
        for (int i = 0; i < 4; i++) {
            check(read, 2);
            check(hot, 1);
            Child.fullGc();
            Child.inH2(read, "what is only read");
            Child.inH2(hot, "what is not written to yet");
        }
    }

    /**
     * Twice all of it, so that more is compressed again than the group has. Backwards: what is read ahead and not
     * written to would count against it.
     */
    private static void write(int round) {
        for (int at = 2 * round; at < 2 * round + 2; at++) {
            for (int i = hot.length - 1; i >= 0; i--) {
                hot[i][at] = (byte) (i + at);
            }
        }
        Child.fullGc();
    }

    private static byte[][] arrays(int group) {
        byte[][] arrays = new byte[GROUP_BYTES / ARRAY_BYTES][];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = Graphs.bytes(ARRAY_BYTES, seed(group, i));
        }
        return arrays;
    }

    private static void check(byte[][] arrays, int group) {
        int step = 1 + new Random(group).nextInt(3);
        for (int i = 0; i < arrays.length; i += step) {
            Graphs.checkBytes(arrays[i], seed(group, i), "group " + group);
        }
    }

    private static long seed(int group, int i) {
        return 100_000L * group + i;
    }
}
