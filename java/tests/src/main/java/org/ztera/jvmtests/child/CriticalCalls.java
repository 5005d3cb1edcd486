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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * Threads give addresses from critical sections to the kernel, while other units of H2 take the memory. The first
 * argument is the path of the agent (see {@link NativeHeap}), the second the bytes of an array.
 */
public final class CriticalCalls {
    private static final int ALL_BYTES = 24 << 20;
    private static final int THREADS = 3;
    private static final int CALLS = 200;

    private static byte[][] arrays;

    private CriticalCalls() {}

    public static void main(String[] args) {
        System.load(args[0]);
        Child.main(() -> test(Integer.parseInt(args[1])));
    }

    private static void test(int length) {
        arrays = IntStream.range(0, ALL_BYTES / length).mapToObj(i -> Graphs.bytes(length, i)).toArray(byte[][]::new);
        Child.move(arrays, 1);
        Executor threads = body -> Thread.ofPlatform().start(body);
        CompletableFuture.allOf(IntStream.range(0, THREADS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> copy(i, length), threads)).toArray(CompletableFuture<?>[]::new)).join();
        for (int i = THREADS; i < arrays.length; i++) {
            Graphs.checkBytes(arrays[i], i, "array " + i);
        }
    }

    /** Copies arrays that nobody writes to into one that nobody else does. */
    private static void copy(int thread, int length) {
        Random random = new Random(thread);
        int last = thread;
        for (int i = 0; i < CALLS; i++) {
            // Half of the time what was used just before.
            last = random.nextBoolean() || i == 0 ? THREADS + random.nextInt(arrays.length - THREADS) : last;
            Child.check(NativeHeap.criticalCopy(arrays[last], arrays[thread]), "system calls in critical sections");
            Child.equal(arrays[last][length / 2], arrays[thread][length / 2], "what was copied");
        }
        Graphs.checkBytes(arrays[thread], last, "the last copy");
    }
}
