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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.zip.Deflater;

/**
 * Many threads compress large blocks that lie in H2, piece by piece: together far more than the memory that there is.
 * Each piece is a critical section on a whole block.
 */
public final class ManyDeflaters {
    private static final int THREADS = 24;
    private static final int LENGTH = 7_900_000;

    private static byte[][] blocks;

    private ManyDeflaters() {}

    public static void main(String[] args) {
        Child.main(ManyDeflaters::test);
    }

    private static byte[] block() {
        byte[] block = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            block[i] = (byte) (i * 31 / 64 ^ i >> 9);
        }
        return block;
    }

    private static void test() {
        blocks = new byte[THREADS][];
        for (int i = 0; i < THREADS; i++) {
            blocks[i] = Child.move(block(), i + 1);
        }
        long inH1 = packedSum(block());
        Executor threads = body -> Thread.ofPlatform().start(body);
        var sums = IntStream.range(0, THREADS)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> packedSum(blocks[i]), threads)).toList();
        sums.forEach(sum -> Child.equal(inH1, sum.join(), "sum over the compressed block"));
    }

    private static long packedSum(byte[] block) {
        Deflater deflater = new Deflater(1);
        deflater.setInput(block);
        deflater.finish();
        byte[] piece = new byte[4096];
        long sum = 0;
        while (!deflater.finished()) {
            int n = deflater.deflate(piece);
            for (int i = 0; i < n; i++) {
                sum = sum * 31 + piece[i];
            }
        }
        deflater.end();
        return sum;
    }
}
