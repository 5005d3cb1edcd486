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
package org.ztera.demo.off;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Two threads share a concurrent map, and stacks to which they push by compare-and-set. */
final class Threads implements Work {
    private static final int THREADS = 2;
    private static final int OPERATIONS = 150_000;
    private static final int KEYS = 20_000;
    private static final int STACKS = 1024;

    private record Link(int number, Link next) {
    }

    /** Their threads end with the JVM. */
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public long iterate(int number) throws Exception {
        ConcurrentHashMap<Integer, Long> map = new ConcurrentHashMap<>();
        AtomicReferenceArray<Link> stacks = new AtomicReferenceArray<>(STACKS);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Mix mix = new Mix(number * THREADS + thread);
            running.add(threads.submit(() -> operate(mix, map, stacks)));
        }
        for (Future<?> future : running) {
            future.get();
        }
        return sum(map, stacks);
    }

    private static void operate(Mix mix, ConcurrentHashMap<Integer, Long> map, AtomicReferenceArray<Link> stacks) {
        for (int i = 0; i < OPERATIONS; i++) {
            int key = mix.below(KEYS);
            map.merge(key, (long) i, Long::sum);
            Link before;
            do {
                before = stacks.get(key % STACKS);
            } while (!stacks.compareAndSet(key % STACKS, before, new Link(key, before)));
        }
    }

    /** The same in whichever order the threads came. */
    private static long sum(ConcurrentHashMap<Integer, Long> map, AtomicReferenceArray<Link> stacks) {
        long sum = 0;
        for (var entry : map.entrySet()) {
            sum += entry.getKey() * entry.getValue();
        }
        for (int stack = 0; stack < STACKS; stack++) {
            for (Link link = stacks.get(stack); link != null; link = link.next) {
                sum += (long) link.number * link.number;
            }
        }
        return sum;
    }
}
