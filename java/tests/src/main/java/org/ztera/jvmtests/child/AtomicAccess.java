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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Atomic accesses to H2 objects, which have barriers of their own: VarHandle, Unsafe, field updaters. */
public final class AtomicAccess {
    private static final int N = 20_000;

    private static final VarHandle PAYLOAD;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Node[].class);
    private static final AtomicReferenceFieldUpdater<Node, Object> UPDATER =
            AtomicReferenceFieldUpdater.newUpdater(Node.class, Object.class, "payload");

    static {
        try {
            PAYLOAD = MethodHandles.lookup().findVarHandle(Node.class, "payload", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Node[] nodes;
    private static AtomicReferenceArray<Node> atomicArray;
    private static AtomicReference<Node> atomic;
    private static AtomicLong counter;

    private AtomicAccess() {}

    public static void main(String[] args) {
        Child.main(AtomicAccess::test);
    }

    private static void test() throws Throwable {
        nodes = new Node[N];
        for (int i = 0; i < N; i++) {
            nodes[i] = new Node(i);
        }
        atomicArray = new AtomicReferenceArray<>(N);
        atomic = new AtomicReference<>();
        counter = new AtomicLong();
        Child.move(nodes, 1);
        Child.move(atomicArray, 1);
        Child.move(atomic, 1);
        Child.move(counter, 1);
        varHandles();
        arrays();
        unsafe();
        threads();
    }

    private static void varHandles() {
        for (int i = 0; i < N; i++) {
            Node n = nodes[i];
            Node young = new Node(-i);
            switch (i % 6) {
                case 0 -> PAYLOAD.setVolatile(n, young);
                case 1 -> Child.check(PAYLOAD.compareAndSet(n, null, young), "compareAndSet");
                case 2 -> Child.check(PAYLOAD.getAndSet(n, young) == null, "getAndSet");
                case 3 -> Child.check(PAYLOAD.compareAndExchange(n, null, young) == null, "exchange");
                case 4 -> UPDATER.set(n, young);
                default -> UPDATER.accumulateAndGet(n, young, (a, b) -> b);
            }
            young = null;
            Child.check(!PAYLOAD.compareAndSet(n, null, n), "compareAndSet of something else");
        }
        collectAndCheckPayloads();
    }

    private static void collectAndCheckPayloads() {
        Child.youngGcs(2);
        for (int i = 0; i < N; i++) {
            Child.equal((long) -i, ((Node) nodes[i].payload).value, "payload " + i);
        }
        Child.fullGc();
        for (int i = 0; i < N; i++) {
            Child.equal((long) -i, ((Node) PAYLOAD.getAcquire(nodes[i])).value, "payload " + i);
        }
    }

    private static void arrays() {
        Node[] h2 = Child.move(new Node[N], 2);
        for (int i = 0; i < N; i++) {
            Child.check(ELEMENT.compareAndSet(h2, i, null, new Node(i)), "element CAS");
            Child.check(atomicArray.getAndSet(i, new Node(2L * i)) == null, "atomic array");
        }
        Child.youngGcs(2);
        for (int i = 0; i < N; i++) {
            Child.equal((long) i, h2[i].value, "element " + i);
            Child.equal(2L * i, atomicArray.get(i).value, "atomic element " + i);
        }
    }

    /** By method handles, since the compiler warns of each mention of the class. */
    private static void unsafe() throws Throwable {
        Class<?> c = Class.forName("sun.misc.Unsafe");
        Field f = c.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle put = lookup.findVirtual(c, "putObject",
                MethodType.methodType(void.class, Object.class, long.class, Object.class)).bindTo(f.get(null));
        MethodHandle compareAndSwap = lookup.findVirtual(c, "compareAndSwapObject", MethodType.methodType(boolean.class,
                Object.class, long.class, Object.class, Object.class)).bindTo(f.get(null));
        long offset = (long) lookup.findVirtual(c, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
                .bindTo(f.get(null)).invokeExact(Node.class.getDeclaredField("payload"));
        for (int i = 0; i < N; i++) {
            Object n = nodes[i];
            Object young = new Node(-i);
            if (i % 2 == 0) {
                put.invokeExact(n, offset, young);
            } else {
                Child.check((boolean) compareAndSwap.invokeExact(n, offset, nodes[i].payload, young), "Unsafe CAS");
            }
        }
        collectAndCheckPayloads();
    }

    /** Threads push onto one stack in H2 while collections run; nothing is lost. */
    private static void threads() throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    Node n = new Node(1);
                    do {
                        n.left = atomic.get();
                    } while (!atomic.compareAndSet(n.left, n));
                    counter.incrementAndGet();
                }
            });
            threads[t].start();
        }
        for (int i = 0; i < 3; i++) {
            Child.youngGcs(1);
            Child.fullGc();
        }
        for (Thread t : threads) {
            t.join();
        }
        Child.youngGcs(1);
        Child.equal(20_000L, counter.get(), "pushes");
        Child.equal(20_000L, Graphs.sum(atomic.get()), "nodes on the stack");
    }
}
