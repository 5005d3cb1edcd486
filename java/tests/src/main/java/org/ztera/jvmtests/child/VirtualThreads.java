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

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ztera.H2;

/**
 * Parked virtual threads hold references to H2 objects on stacks that lie in the heap. Nothing else refers
 * to these objects, before, during and after their move.
 */
public final class VirtualThreads {
    private static final int N = 40;

    private static final AtomicInteger ready = new AtomicInteger();
    private static final AtomicLong total = new AtomicLong();
    private static CountDownLatch gate = new CountDownLatch(1);
    private static CountDownLatch gate2 = new CountDownLatch(1);
    private static Object[] shared;

    private VirtualThreads() {}

    public static void main(String[] args) {
        Child.main(VirtualThreads::test);
    }

    private static void test() throws Exception {
        Thread[] threads = new Thread[N];
        for (int i = 0; i < N; i++) {
            int seed = i * 100;
            threads[i] = Thread.ofVirtual().start(() -> body(seed));
        }
        Child.await(() -> ready.get() == N, "all virtual threads are parked");
        shared = threads;
        H2.tag(shared, 2);
        H2.move(1);
        H2.move(2);
        Child.fullGc();
        H2Stats.atLeast(N * 50, H2Stats.movedObjects(), "objects moved from parked stacks");
        Child.inH2(shared, "an array of threads");
        Child.inH1(shared[0], "a virtual thread");
        Child.youngGcs(2);
        Child.fullGcs(2);
        gate.countDown();
        Child.await(() -> ready.get() == 2 * N, "all virtual threads are parked again");
        Child.youngGcs(2);
        Child.fullGcs(2);
        H2Stats.atLeast(1, H2Stats.regionsUsed(), "regions that only stacks refer to");
        gate2.countDown();
        for (Thread t : threads) {
            t.join();
        }
        long expected = 0;
        for (int i = 0; i < N; i++) {
            expected += 3 * Graphs.listSum(50, i * 100);
        }
        Child.equal(expected, total.get(), "what the virtual threads saw");
        threads = null;
        shared = null;
        Child.gcUntil(() -> !Child.h2() || H2Stats.regionsUsed() == 0, 3, "the regions die with the stacks");
    }

    private static void body(int seed) {
        Node list = Graphs.list(50, seed);
        H2.tag(list, 1);
        ready.incrementAndGet();
        park(gate);
        Child.inH2(list, "the list of a virtual thread");
        total.addAndGet(Graphs.sum(list));
        total.addAndGet(deeper(list, 20));
        total.addAndGet(Graphs.sum(list));
    }

    /** Parks with references to the middle of the list in many frames. */
    private static long deeper(Node node, int depth) {
        if (depth > 0) {
            return node.value + deeper(node.left, depth - 1);
        }
        ready.incrementAndGet();
        park(gate2);
        return Graphs.sum(node);
    }

    private static void park(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
