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
package org.ztera.demo.bench;

import java.util.Random;

/** Reads one byte of each page of some blocks, in one order or another, and takes the time. */
final class PageReads {
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES_PER_CHECK = 1024;
    /** A slow disk need not read all pages to show how slow it is. */
    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int PAGES_PER_BLOCK = Blocks.BLOCK_BYTES / PAGE_BYTES;

    /** @param pages how many were read; @param sum of the bytes, so that nothing is optimised away */
    record Result(int pages, double seconds, long sum) {
    }

    private PageReads() {
    }

    static Result sequential(byte[][] blocks) {
        return read(blocks, order(blocks));
    }

    /** Each page once, in an order that only depends on the seed. */
    static Result random(byte[][] blocks, long seed) {
        int[] order = order(blocks);
        Random random = new Random(seed);
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int page = order[i];
            order[i] = order[other];
            order[other] = page;
        }
        return read(blocks, order);
    }

    private static int[] order(byte[][] blocks) {
        int[] order = new int[blocks.length * PAGES_PER_BLOCK];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        return order;
    }

    private static Result read(byte[][] blocks, int[] order) {
        long sum = 0;
        int read = 0;
        long start = System.nanoTime();
        while (read < order.length && System.nanoTime() - start < LONGEST_NANOS) {
            int end = Math.min(read + PAGES_PER_CHECK, order.length);
            for (; read < end; read++) {
                int page = order[read];
                sum += blocks[page / PAGES_PER_BLOCK][page % PAGES_PER_BLOCK * PAGE_BYTES];
            }
        }
        return new Result(read, (System.nanoTime() - start) / 1e9, sum);
    }
}
