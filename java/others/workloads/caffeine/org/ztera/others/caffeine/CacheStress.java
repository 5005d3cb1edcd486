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
package org.ztera.others.caffeine;

import static org.ztera.others.child.Checks.check;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.ztera.others.child.Checks;

/**
 * Several threads work on a bounded cache, on one with weak keys and on one with weak values. Each value found under a
 * key is a whole value of that key; what the program holds does not leave a weak cache; in the end every value that
 * came in is still there or was reported as removed, once; the bound holds. Argument: operations of each thread.
 */
public final class CacheStress {
    private static final int THREADS = 3;
    private static final int KEYS = 20_000;
    private static final int BOUND = 4_000;

    private final LongAdder loaded = new LongAdder();
    private final LongAdder put = new LongAdder();
    private final LongAdder removed = new LongAdder();
    private final LoadingCache<Integer, Value> bounded = Caffeine.newBuilder().maximumSize(BOUND)
            .removalListener((Integer key, Value value, RemovalCause cause) -> {
                value.verify(key);
                removed.increment();
            }).executor(Runnable::run).build(key -> {
                loaded.increment();
                return new Value(key);
            });
    /** The key's identity counts here, so its identity hash must survive a move. */
    private final Cache<Object, Value> byIdentity = Caffeine.newBuilder().weakKeys().build();
    private final Cache<Integer, Value> weak = Caffeine.newBuilder().weakValues().build();
    private volatile Throwable failure;

    private CacheStress() {
    }

    public static void main(String[] args) throws InterruptedException {
        new CacheStress().run(Integer.parseInt(args[0]));
    }

    private void run(int operations) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int id = i;
            threads.add(Thread.ofPlatform().start(() -> guarded(id, operations)));
        }
        for (Thread t : threads) {
            t.join();
        }
        if (failure != null) {
            throw new AssertionError("a thread failed", failure);
        }
        bounded.cleanUp();
        check(bounded.estimatedSize() <= BOUND, "the bound: " + bounded.estimatedSize());
        bounded.asMap().forEach((key, value) -> value.verify(key));
        long there = bounded.asMap().size();
        check(loaded.sum() + put.sum() == removed.sum() + there, "loaded " + loaded.sum() + " and put " + put.sum()
                + ", but removed " + removed.sum() + " and still there " + there);
        Checks.answer(THREADS + " threads, " + operations + " operations each, " + put.sum() + " values put");
    }

    private void guarded(int id, int operations) {
        try {
            new Worker(id).work(operations);
        } catch (Throwable t) {
            failure = t;
        }
    }

    /** One thread, and what it holds on to: under its own keys in the weak caches. */
    private final class Worker {
        private static final int HELD = 3_000;

        private final SplittableRandom random;
        private final int first;
        private final Object[] keys = new Object[HELD];
        private final Value[] values = new Value[HELD];

        Worker(int id) {
            random = new SplittableRandom(id);
            first = id * HELD;
            for (int i = 0; i < HELD; i++) {
                hold(i);
            }
        }

        private void hold(int i) {
            keys[i] = new Object();
            values[i] = new Value(first + i);
            byIdentity.put(keys[i], values[i]);
            weak.put(first + i, values[i]);
        }

        void work(int operations) {
            for (int n = 0; n < operations; n++) {
                int key = (int) (KEYS * Math.pow(random.nextDouble(), 3));
                int own = random.nextInt(HELD);
                switch (random.nextInt(8)) {
                    case 0 -> {
                        put.increment();
                        bounded.put(key, new Value(key));
                    }
                    case 1 -> bounded.invalidate(key);
                    case 2 -> check(byIdentity.getIfPresent(keys[own]) == values[own], "a held key has lost its value");
                    case 3 -> check(weak.getIfPresent(first + own) == values[own], "a held value left the weak cache");
                    case 4 -> hold(own);
                    default -> {
                        bounded.get(key).verify(key);
                        check(true, "");
                    }
                }
            }
        }
    }

    /** A value that can tell whether it is whole. */
    private record Value(int key, String name, long[] numbers) {
        Value(int key) {
            this(key, "value " + key, numbers(key));
        }

        private static long[] numbers(int key) {
            long[] numbers = new long[8 + key % 50];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = key * 31L + i;
            }
            return numbers;
        }

        void verify(int wanted) {
            boolean whole = key == wanted && name.equals("value " + wanted) && numbers.length == 8 + wanted % 50;
            for (int i = 0; whole && i < numbers.length; i++) {
                whole = numbers[i] == wanted * 31L + i;
            }
            if (!whole) {
                throw new AssertionError("the value of " + wanted + " is " + this);
            }
        }
    }
}
