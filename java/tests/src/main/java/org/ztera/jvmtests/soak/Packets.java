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
package org.ztera.jvmtests.soak;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.ztera.H2;
import org.ztera.kit.uses.Use;

/** Cached arrays of bytes, which native code reads and writes, and beside them what they must contain. */
final class Packets {
    private static final int COUNT = 16;
    private static final int MOST_BYTES = 300_000;
    private static final Kind[] KINDS = Kind.values();

    final byte[][] arrays = new byte[COUNT][];
    private final long seed;
    private final int[] versions = new int[COUNT];

    Packets(SplittableRandom random) {
        seed = random.nextLong();
        for (int i = 0; i < COUNT; i++) {
            arrays[i] = new byte[random.nextInt(1, MOST_BYTES)];
            fill(i);
        }
    }

    private byte[] wanted(int i) {
        Kind kind = KINDS[i % KINDS.length];
        ByteBuffer words = ByteBuffer.allocate(arrays[i].length + Long.BYTES);
        for (int at = 0; at < arrays[i].length; at += Long.BYTES) {
            words.putLong(at, kind.word(seed + i + ((long) versions[i] << 20), at / Long.BYTES));
        }
        return words.array();
    }

    private void fill(int i) {
        System.arraycopy(wanted(i), 0, arrays[i], 0, arrays[i].length);
    }

    /**
     * Native code copies some of one to another, or to itself; what was overwritten gets new contents.
     *
     * <p>Situation: native code: cached arrays pass through zlib, channels, critical sections and downcalls while
     * things below H2 fail. Outcome: every byte is right.
     */
    void copy(Use use, SplittableRandom random) throws Exception {
        int from = random.nextInt(COUNT);
        int into = random.nextInt(COUNT);
        check(from);
        check(into);
        use.done(H2.contains(arrays[from]) || H2.contains(arrays[into]));
        use.copy(arrays[from], arrays[into], random.nextInt(1, Math.min(arrays[from].length, arrays[into].length) + 1));
        if (from != into) {
            versions[into]++;
            fill(into);
        }
    }

    void check() {
        for (int i = 0; i < COUNT; i++) {
            check(i);
        }
    }

    private void check(int i) {
        byte[] wanted = wanted(i);
        int at = Arrays.mismatch(arrays[i], 0, arrays[i].length, wanted, 0, arrays[i].length);
        if (at >= 0) {
            throw new AssertionError("byte " + at + " of packet " + i + " in its version " + versions[i] + " is " + arrays[i][at]
                    + " and should be " + wanted[at]);
        }
    }
}
