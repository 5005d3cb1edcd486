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
package org.ztera.fuzz.rt;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/** Threads whose result does not depend on how they interleave. */
public final class Threads {
    private Threads() {}

    /** Runs the code on so many threads at once; the sum of what it returns for 0, 1, 2... */
    public static long parallel(int threads, LongUnaryOperator code) throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        AtomicLong failures = new AtomicLong();
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            long number = i;
            all[i] = Thread.ofPlatform().daemon().start(() -> {
                try {
                    sum.addAndGet(code.applyAsLong(number));
                } catch (RuntimeException e) {
                    failures.incrementAndGet();
                }
            });
        }
        for (Thread t : all) {
            t.join();
        }
        return sum.get() * 31 + failures.get();
    }

    private static final class Turn {
        boolean mine;
        long passed;
    }

    /** Passes a turn to and fro between this thread and another, by wait and notify on a lock; runs code in between. */
    public static long pingPong(Object lock, int rounds, Runnable between) throws InterruptedException {
        Turn turn = new Turn();
        Thread other = Thread.ofPlatform().daemon().start(() -> play(lock, turn, true, rounds));
        for (int i = 0; i < rounds; i++) {
            synchronized (lock) {
                turn.mine = true;
                lock.notifyAll();
                if (i == rounds / 2) {
                    between.run();
                }
                while (turn.mine) {
                    lock.wait();
                }
                turn.passed++;
            }
        }
        other.join();
        return turn.passed;
    }

    private static void play(Object lock, Turn turn, boolean when, int rounds) {
        for (int i = 0; i < rounds; i++) {
            synchronized (lock) {
                try {
                    while (turn.mine != when) {
                        lock.wait();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                turn.mine = !when;
                turn.passed++;
                lock.notifyAll();
            }
        }
    }
}
