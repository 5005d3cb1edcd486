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
 * Much more data in H2 than may stay uncompressed: what is read back is what was written, again and again,
 * in any order and by several threads, also after it was written to.
 */
public final class Eviction {
    private static final int ARRAYS = 600;
    private static final int BYTES = 80_000;

    private static byte[][] data;
    private static final long[] seeds = new long[ARRAYS];
    private static Node tree;

    private Eviction() {}

    public static void main(String[] args) {
        Child.main(Eviction::test);
    }

    private static void test() throws Exception {
        data = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            data[i] = new byte[BYTES];
            write(i, i);
        }
        Child.move(data, 1);
        tree = Child.move(Graphs.tree(15), 2);
        checkAll();
        java.util.Random random = new java.util.Random(1);
        for (int i = 0; i < 400; i++) {
            write(random.nextInt(ARRAYS), 1000 + i);
        }
        checkAll();
        Child.fullGc();
        checkAll();
        Graphs.checkTree(tree, 15);
        inParallel();
    }

    /** Of every kind of page: all zero, one word repeated, text-like, random. */
    private static void write(int i, long seed) {
        seeds[i] = seed;
        byte[] b = data[i];
        switch (i % 4) {
            case 0 -> java.util.Arrays.fill(b, (byte) 0);
            case 1 -> java.util.Arrays.fill(b, (byte) seed);
            case 2 -> fillText(b, seed);
            default -> Graphs.fill(b, seed);
        }
    }

    private static void fillText(byte[] b, long seed) {
        for (int k = 0; k < b.length; k++) {
            b[k] = (byte) ('a' + (k / 7 + seed + k % 13) % 26);
        }
    }

    private static void checkAll() {
        for (int i = 0; i < ARRAYS; i++) {
            check(i);
        }
    }

    private static void check(int i) {
        byte[] b = data[i];
        Child.inH2(b, "array " + i);
        byte[] expected = new byte[BYTES];
        switch (i % 4) {
            case 0 -> { }
            case 1 -> java.util.Arrays.fill(expected, (byte) seeds[i]);
            case 2 -> fillText(expected, seeds[i]);
            default -> Graphs.fill(expected, seeds[i]);
        }
        Child.equal(-1, java.util.Arrays.mismatch(expected, b), "first difference in array " + i);
    }

    private static void inParallel() throws Exception {
        Thread[] threads = new Thread[4];
        Throwable[] failures = new Throwable[threads.length];
        for (int t = 0; t < threads.length; t++) {
            int own = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = own; i < ARRAYS; i += 4) {
                        check((i * 7) % ARRAYS);
                    }
                } catch (Throwable e) {
                    failures[own] = e;
                }
            });
            threads[t].start();
        }
        for (int t = 0; t < threads.length; t++) {
            threads[t].join();
            if (failures[t] != null) {
                throw new AssertionError("reader " + t, failures[t]);
            }
        }
    }
}
