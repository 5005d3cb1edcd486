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
import java.util.stream.IntStream;
import org.ztera.H2;

/** Leaves half-compressible data in H2 alone for many collections, waits while the parent looks, and reads it. */
public final class Idle {
    private static final int GROUPS = 4;
    private static final int ARRAYS = 40;
    private static final int BYTES = 80_000;

    private static byte[][][] data;

    private Idle() {}

    public static void main(String[] args) {
        Child.main(Idle::test);
    }

    private static void test() throws Exception {
        data = new byte[GROUPS][][];
        for (int group = 0; group < GROUPS; group++) {
            data[group] = IntStream.range(0, ARRAYS).mapToObj(Idle::letters).toArray(byte[][]::new);
            // One after the other: the pool promises no more room than what is not compressed yet might need.
            Child.move(data[group], group);
            Child.await(() -> H2.stats().stagedBytes() == 0, "what moved is compressed");
        }
        for (int epoch = 0; epoch < 40; epoch++) {
            Child.fullGc();
            Thread.sleep(10);
        }
        Child.ready();
        for (byte[][] arrays : data) {
            for (int i = 0; i < ARRAYS; i++) {
                Child.inH2(arrays[i], "array " + i);
                Child.equal(-1, Arrays.mismatch(letters(i), arrays[i]), "first difference in array " + i);
            }
        }
    }

    /** Noise of 16 letters and constant bytes take turns: a codec with an entropy stage makes more of it than lz4. */
    private static byte[] letters(int seed) {
        byte[] bytes = new byte[BYTES];
        new Random(seed).nextBytes(bytes);
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i % 16 < 8 ? bytes[i] & 0xf : seed);
        }
        return bytes;
    }
}
