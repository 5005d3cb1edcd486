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
package org.ztera.jvmtests.stress;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ztera.H2;

/**
 * The objects that all mutators share: counters under monitors, a lock-free queue and a concurrent map, all of which
 * move.
 */
final class Commons {
    private static final int COUNTERS = 64;
    /** Objects that {@link #tag} tags. */
    static final int TAGGED = 3;

    private static final class Counter {
        long count;
    }

    private final Counter[] counters = new Counter[COUNTERS];
    private final ConcurrentLinkedQueue<long[]> queue = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<String, Long> map = new ConcurrentHashMap<>();

    Commons() {
        for (int i = 0; i < COUNTERS; i++) {
            counters[i] = new Counter();
        }
    }

    /** Increments a counter under its monitor, at times waiting on it for others to notify. */
    void increment(int which, boolean wait) throws InterruptedException {
        Counter c = counters[which % COUNTERS];
        synchronized (c) {
            c.count++;
            if (wait) {
                c.wait(1);
            } else {
                c.notifyAll();
            }
        }
    }

    /** Passes a number on to some thread. */
    void offer(long number) {
        queue.offer(new long[] {number, ~number});
    }

    /** A number that some thread passed on, 0 if there is none. */
    long poll() {
        long[] numbers = queue.poll();
        if (numbers == null) {
            return 0;
        }
        Stress.check(numbers[0] == ~numbers[1], "a number from the queue");
        return numbers[0];
    }

    /** Adds to an entry of the map; entries come and go with the sum unchanged. */
    void add(int key, long delta) {
        map.merge("key " + key % 500, delta, (x, y) -> x + y == 0 ? null : x + y);
    }

    /** All of it gets a label: one of its own, since it outlives the groups and a region dies as a whole. */
    void tag(long label) {
        H2.tag(counters, label);
        H2.tag(queue, label);
        H2.tag(map, label);
    }

    /** Sum of the counters. */
    long counted() {
        long sum = 0;
        for (Counter c : counters) {
            synchronized (c) {
                sum += c.count;
            }
        }
        return sum;
    }

    /** Sum of the map. */
    long mapSum() {
        return map.values().stream().mapToLong(Long::longValue).sum();
    }
}
