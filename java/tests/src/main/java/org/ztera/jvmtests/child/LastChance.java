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

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Each object of a group in H2 has a PhantomReference that holds much of H1 until a thread of the program has taken
 * it from its queue. All objects are dropped, and then the heap is short at once: that thread gets its turn before
 * the allocation fails.
 */
public final class LastChance {
    private static final int N = 72;
    private static final int HELD_BYTES = 1 << 20;
    private static final int ALLOCATED_BYTES = 60 << 20;

    private static final ReferenceQueue<Node> queue = new ReferenceQueue<>();
    private static final Set<Held> all = ConcurrentHashMap.newKeySet();
    private static Node[] group;
    private static byte[] allocated;

    private static final class Held extends PhantomReference<Node> {
        final byte[] bytes = new byte[HELD_BYTES];

        Held(Node referent) {
            super(referent, queue);
        }
    }

    private LastChance() {}

    public static void main(String[] args) {
        Child.main(LastChance::test);
    }

    private static void test() throws InterruptedException {
        group = new Node[N + 1];
        for (int i = 0; i <= N; i++) {
            group[i] = new Node(i);
        }
        Child.move(group, 1);
        for (int i = 0; i < N; i++) {
            all.add(new Held(group[i]));
        }
        Thread.ofPlatform().daemon().start(LastChance::drop);
        for (int i = 0; i < N; i++) {
            group[i] = null;
        }
        allocated = new byte[ALLOCATED_BYTES];
        Child.await(all::isEmpty, "what died is dropped");
        Child.equal(ALLOCATED_BYTES, allocated.length, "bytes that were allocated");
        Child.inH2(group[N], "what lives");
    }

    private static void drop() {
        try {
            while (true) {
                Reference<? extends Node> reference = queue.remove();
                all.remove(reference);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
