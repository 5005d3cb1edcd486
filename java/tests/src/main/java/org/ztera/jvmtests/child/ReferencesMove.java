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

import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import org.ztera.H2;

/**
 * Weak and soft references without a tag move along with what they refer to, and are cleared there as in a stock JVM.
 * The first argument is {@code exact}, or {@code soft}: then memory runs out, and soft references make room. The second
 * one says how many there are.
 */
public final class ReferencesMove {
    private static final int STEP = 3;

    private final int size;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Numbered> weak = new ArrayList<>();
    private final List<SoftReference<Node>> soft = new ArrayList<>();
    private final WeakHashMap<Node, Integer> map = new WeakHashMap<>();
    private final ReferenceQueue<Node> queue = new ReferenceQueue<>();

    private ReferencesMove(int size) {
        this.size = size;
    }

    private static final class Numbered extends WeakReference<Node> {
        private final int number;

        Numbered(Node node, int number, ReferenceQueue<Node> queue) {
            super(node, queue);
            this.number = number;
        }
    }

    public static void main(String[] args) {
        int size = Integer.parseInt(args[1]);
        Child.main(() -> {
            if (args[0].equals("soft")) {
                softReferencesMakeRoom(size);
            } else {
                new ReferencesMove(size).test();
            }
        });
    }

    private void test() throws InterruptedException {
        for (int i = 0; i < size; i++) {
            add(i);
        }
        Child.fullGcs(2);
        H2Stats.atLeast(size / 2, weak.stream().filter(H2::contains).count(), "weak references in H2");
        H2Stats.atLeast(size / 2, soft.stream().filter(H2::contains).count(), "soft references in H2");
        Child.check(queue.poll() == null, "nothing is enqueued while all is reachable");
        check(0);
        for (int round = 0; round < STEP - 1; round++) {
            drop(round);
            check(round + 1);
        }
    }

    /** Every third node has a soft reference as well, and every third one an entry in the map. */
    private void add(int i) {
        Node node = new Node(i);
        nodes.add(node);
        weak.add(new Numbered(node, i, queue));
        soft.add(new SoftReference<>(i % STEP == STEP - 1 ? node : new Node(i)));
        if (i % STEP != STEP - 1) {
            map.put(node, i);
        }
    }

    /** Nodes that leave this remainder when divided by STEP die, and no others. */
    private void drop(int remainder) throws InterruptedException {
        BitSet expected = new BitSet();
        for (int i = remainder; i < size; i += STEP) {
            nodes.set(i, null);
            expected.set(i);
        }
        // Looks become rarer while they find nothing.
        Child.gcUntil(() -> weak.get(remainder).refersTo(null), 10, "the first node that was dropped");
        int count = expected.cardinality();
        for (int i = 0; i < count; i++) {
            Numbered reference = (Numbered) queue.remove(60_000);
            Child.check(reference != null, "only " + i + " of " + count + " references were enqueued");
            Child.check(expected.get(reference.number), "reference " + reference.number + " was enqueued, and its node lives");
            expected.clear(reference.number);
        }
        Child.check(queue.poll() == null, "nothing else is enqueued");
    }

    private void check(int dropped) {
        int keys = 0;
        for (int i = 0; i < size; i++) {
            boolean lives = i % STEP >= dropped;
            Node node = weak.get(i).get();
            Child.equal(lives, node != null, "node " + i + " lives");
            Child.check(node == nodes.get(i), "referent " + i);
            Child.check(node == null || node.value == i, "node " + i);
            Child.check(soft.get(i).get() != null, "soft referent " + i);
            if (i % STEP != STEP - 1) {
                Child.check(!lives || map.get(node) == i, "value " + i + " of the map");
                keys += lives ? 1 : 0;
            }
        }
        Child.equal(keys, map.size(), "size of the map");
    }

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[1000];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** All of it would never fit. */
    private static void softReferencesMakeRoom(int size) {
        List<SoftReference<byte[]>> all = new ArrayList<>();
        boolean moved = false;
        for (int i = 0; i < size; i++) {
            byte[] bytes = bytes(i);
            all.add(new SoftReference<>(bytes));
            moved |= i % 1000 == 0 && all.stream().anyMatch(H2::contains);
        }
        Child.check(!Child.h2() || moved, "some were in H2");
        int kept = 0;
        for (int i = 0; i < size; i++) {
            byte[] bytes = all.get(i).get();
            if (bytes != null) {
                Child.check(Arrays.equals(bytes(i), bytes), "bytes " + i);
                kept++;
            }
        }
        Child.check(kept < size, "some were cleared");
    }
}
