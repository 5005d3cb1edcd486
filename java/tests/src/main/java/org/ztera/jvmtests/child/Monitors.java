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
import java.util.concurrent.locks.ReentrantLock;
import org.ztera.H2;

/** Monitors of objects in H2: uncontended, contended, inflated, waited on, and held while the move happens. */
public final class Monitors {
    private static final int THREADS = 4;
    private static final int ROUNDS = 3000;

    private static Counter[] counters;
    private static ReentrantLock lock;

    private Monitors() {}

    public static void main(String[] args) {
        Child.main(Monitors::test);
    }

    private static final class Counter {
        long count;
        boolean flag;
    }

    private static void test() throws Exception {
        counters = new Counter[40];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new Counter();
        }
        // Some are hashed, some inflated before the move, as both live where the lock state lives.
        for (int i = 0; i < counters.length; i += 3) {
            System.identityHashCode(counters[i]);
        }
        contend();
        lock = new ReentrantLock();
        H2.tag(lock, 2);
        Child.move(counters, 1);
        H2.moveNow(2);
        contend();
        Child.fullGcs(2);
        contend();
        waitAndNotify(counters[1]);
        heldDuringTheMove();
        waitingDuringTheMove();
        checkCounts(3L * THREADS * ROUNDS);
    }

    private static void contend() throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        AtomicInteger failures = new AtomicInteger();
        for (int t = 0; t < THREADS; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    Counter c = counters[i % counters.length];
                    synchronized (c) {
                        long before = c.count;
                        synchronized (c) {
                            c.count = before + 1;
                        }
                        if (!Thread.holdsLock(c)) {
                            failures.incrementAndGet();
                        }
                    }
                    if (lock != null && i % 8 == 0) {
                        lock.lock();
                        lock.unlock();
                    }
                }
            });
            threads[t].start();
        }
        for (int i = 0; i < 3; i++) {
            Child.fullGc();
        }
        for (Thread t : threads) {
            t.join();
        }
        Child.equal(0, failures.get(), "times a held monitor was not held");
    }

    private static void checkCounts(long total) {
        long sum = 0;
        for (Counter c : counters) {
            sum += c.count;
        }
        Child.equal(total, sum, "increments under the monitors");
    }

    private static void waitAndNotify(Counter c) throws Exception {
        Thread waiter = waiter(c);
        Child.await(() -> waiter.getState() == Thread.State.WAITING, "the waiter waits");
        Child.fullGc();
        Child.youngGcs(1);
        wake(c, waiter);
        try {
            c.notify();
            throw new AssertionError("notify without the monitor");
        } catch (IllegalMonitorStateException expected) {
            Child.check(!Thread.holdsLock(c), "the monitor is free");
        }
    }

    private static Thread waiter(Counter c) {
        Thread t = new Thread(() -> {
            synchronized (c) {
                while (!c.flag) {
                    try {
                        c.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                c.flag = false;
            }
        });
        t.start();
        return t;
    }

    private static void wake(Counter c, Thread waiter) throws InterruptedException {
        synchronized (c) {
            c.flag = true;
            c.notifyAll();
        }
        waiter.join();
        Child.check(!c.flag, "the waiter saw the notification");
    }

    /** A lock that another thread holds, and one this thread holds, stay held and can be released. */
    private static void heldDuringTheMove() throws Exception {
        Counter[] group = {new Counter(), new Counter(), new Counter()};
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            synchronized (group[0]) {
                held.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    return;
                }
                group[0].count = 5;
            }
        });
        holder.start();
        held.await();
        synchronized (group[1]) {
            H2.tag(group, 3);
            H2.moveNow(3);
            Child.inH2(group, "the array");
            Child.inH1(group[0], "an object that another thread has locked");
            Child.inH1(group[1], "an object that this thread has locked");
            Child.inH2(group[2], "an unlocked object");
            Child.check(Thread.holdsLock(group[1]) && !Thread.holdsLock(group[0]), "who holds what");
        }
        release.countDown();
        synchronized (group[0]) {
            group[0].count *= 2;
        }
        holder.join();
        synchronized (group[0]) {
            Child.equal(10L, group[0].count, "count: first the holder's, then ours");
        }
    }

    private static void waitingDuringTheMove() throws Exception {
        Counter c = new Counter();
        Thread waiter = waiter(c);
        Child.await(() -> waiter.getState() == Thread.State.WAITING, "the waiter waits");
        H2.tag(c, 4);
        H2.moveNow(4);
        Child.fullGc();
        wake(c, waiter);
    }
}
