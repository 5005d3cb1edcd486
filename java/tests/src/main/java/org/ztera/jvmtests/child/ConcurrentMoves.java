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

import java.util.concurrent.atomic.AtomicReference;
import org.ztera.H2;

/**
 * Mutators keep changing, dropping and rebuilding their groups while another thread moves them again and
 * again, and every collection finds references between the heaps that are minutes, or one store, old.
 */
public final class ConcurrentMoves {
    private static final int THREADS = 4;
    private static final int MOVES = 12;

    private static volatile boolean stop;
    private static final AtomicReference<Throwable> failure = new AtomicReference<>();

    private ConcurrentMoves() {}

    public static void main(String[] args) {
        Child.main(ConcurrentMoves::test);
    }

    private static void test() throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            Mutator m = new Mutator(t);
            threads[t] = new Thread(() -> {
                try {
                    m.run();
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads[t].start();
        }
        for (int i = 0; i < MOVES && failure.get() == null; i++) {
            H2.move(i % THREADS);
            H2.moveNow((i + 1) % THREADS);
            Child.youngGcs(1);
        }
        stop = true;
        for (Thread t : threads) {
            t.join();
        }
        if (failure.get() != null) {
            throw new AssertionError("a mutator failed", failure.get());
        }
        H2Stats.atLeast(1, H2Stats.movedObjects(), "moved objects");
    }

    /** Owns one group: an array of lists of which the value sums are known. */
    private static final class Mutator {
        private static final int LISTS = 400;

        private final int label;
        private final java.util.SplittableRandom random;
        private Node[] group;
        private final long[] sums = new long[LISTS];

        Mutator(int label) {
            this.label = label;
            this.random = new java.util.SplittableRandom(label);
        }

        void run() {
            while (!stop) {
                group = new Node[LISTS];
                for (int i = 0; i < LISTS; i++) {
                    replace(i);
                }
                H2.tag(group, label);
                for (int i = 0; i < 4000 && !stop; i++) {
                    change(random.nextInt(LISTS));
                    if (i % 500 == 0) {
                        check();
                    }
                }
                check();
            }
        }

        private void replace(int i) {
            int length = random.nextInt(1, 12);
            long first = random.nextInt(1_000_000);
            group[i] = Graphs.list(length, first);
            sums[i] = Graphs.listSum(length, first);
        }

        private void change(int i) {
            switch (random.nextInt(4)) {
                case 0 -> replace(i);
                case 1 -> push(i);
                case 2 -> swap(i, random.nextInt(LISTS));
                default -> splice(i);
            }
        }

        private void push(int i) {
            Node n = new Node(random.nextInt(1000));
            n.left = group[i];
            group[i] = n;
            sums[i] += n.value;
            if (sums[i] > 100_000_000) {
                replace(i);
            }
        }

        private void swap(int i, int j) {
            Node n = group[i];
            group[i] = group[j];
            group[j] = n;
            long s = sums[i];
            sums[i] = sums[j];
            sums[j] = s;
        }

        /** Replaces the second node by a new one with the same value: a young object between two others. */
        private void splice(int i) {
            Node head = group[i];
            if (head.left != null) {
                Node fresh = new Node(head.left.value);
                fresh.left = head.left.left;
                head.left = fresh;
            }
        }

        private void check() {
            for (int i = 0; i < LISTS; i++) {
                Child.equal(sums[i], Graphs.sum(group[i]), "list " + i + " of mutator " + label);
            }
        }
    }
}
