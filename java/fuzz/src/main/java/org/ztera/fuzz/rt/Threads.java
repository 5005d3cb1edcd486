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
        RuntimeException thrown;
    }

    /**
     * Passes a turn to and fro between two threads, by wait and notify on a lock; runs code in between.
     *
     * @param virtual both are virtual threads; else this thread is one of them and the other a platform thread
     */
    public static long pingPong(Object lock, int rounds, boolean virtual, Runnable between) throws InterruptedException {
        Turn turn = new Turn();
        Thread other = builder(virtual).start(() -> play(lock, turn, true, rounds, () -> {}));
        Runnable mine = () -> play(lock, turn, false, rounds, between);
        if (virtual) {
            builder(true).start(mine).join();
        } else {
            mine.run();
        }
        other.join();
        if (turn.thrown != null) {
            throw turn.thrown;
        }
        return turn.passed;
    }

    private static Thread.Builder builder(boolean virtual) {
        return virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    }

    /**
     * Each round waits for the turn and gives it away; the code runs in the middle one, while the other thread waits.
     */
    private static void play(Object lock, Turn turn, boolean when, int rounds, Runnable code) {
        for (int i = 0; i < rounds; i++) {
            synchronized (lock) {
                try {
                    while (turn.mine != when) {
                        lock.wait();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                if (i == rounds / 2) {
                    run(code, turn);
                }
                turn.mine = !when;
                turn.passed++;
                lock.notifyAll();
            }
        }
    }

    /** The game goes on whatever the code does: the other thread waits for its turn. */
    private static void run(Runnable code, Turn turn) {
        try {
            code.run();
        } catch (Throwable t) {
            turn.thrown = new IllegalStateException("thrown in between", t);
        }
    }

    /**
     * Virtual threads wait to enter a monitor, which is held while the code runs; the sum of their numbers, 1, 2, 3...
     */
    public static long contend(Object lock, int threads, Runnable meanwhile) throws InterruptedException {
        long[] sum = {0};
        Thread[] all = new Thread[threads];
        synchronized (lock) {
            for (int i = 0; i < threads; i++) {
                Object[] held = {lock, i + 1L};
                all[i] = Thread.ofVirtual().start(() -> enter(held, sum));
            }
            awaitBlocked(all);
            meanwhile.run();
        }
        for (Thread t : all) {
            t.join();
        }
        return sum[0];
    }

    private static void enter(Object[] held, long[] sum) {
        Object lock = held[0];
        synchronized (lock) {
            sum[0] += held[0] == lock ? (Long) held[1] : -1_000_000;
        }
    }

    /** Or not, on a machine that is busy. */
    private static void awaitBlocked(Thread[] threads) throws InterruptedException {
        for (Thread t : threads) {
            for (int i = 0; i < 200 && t.getState() != Thread.State.BLOCKED; i++) {
                Thread.sleep(1);
            }
        }
    }
}
