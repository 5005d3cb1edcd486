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

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/** WeakHashMap with keys in H2, and a moved map of weak references: the entries stay in H1. */
public final class WeakCollections {
    private static final int N = 400;

    private static final Map<Node, Node> weakMap = new WeakHashMap<>();
    private static Map<Long, WeakReference<Node>> cache;
    private static WeakHashMap<Node, Node> movedMap;
    private static Node[] groupA;
    private static Node[] groupB;

    private WeakCollections() {}

    public static void main(String[] args) {
        Child.main(WeakCollections::test);
    }

    private static void test() throws InterruptedException {
        groupA = nodes(0);
        groupB = nodes(10_000);
        fill();
        Child.move(groupA, 1);
        Child.move(groupB, 2);
        Child.move(cache, 3);
        Child.move(movedMap, 4);
        Child.inH1(cache.get(1L), "a weak reference in a moved map");
        Child.youngGcs(2);
        Child.fullGcs(2);
        check(2 * N);
        groupB = null;
        Child.fullGc();
        Child.await(() -> weakMap.size() == N && movedMap.size() == N, "stale entries leave the maps");
        check(N);
        addAgain();
        Child.fullGc();
        check(N);
    }

    private static Node[] nodes(long first) {
        Node[] nodes = new Node[N];
        for (int i = 0; i < N; i++) {
            nodes[i] = new Node(first + i);
        }
        return nodes;
    }

    private static void fill() {
        cache = new HashMap<>();
        movedMap = new WeakHashMap<>();
        for (Node[] group : new Node[][] {groupA, groupB}) {
            for (Node n : group) {
                add(n);
            }
        }
    }

    private static void add(Node n) {
        weakMap.put(n, new Node(-n.value));
        movedMap.put(n, new Node(-n.value));
        cache.put(n.value, new WeakReference<>(n));
    }

    private static void addAgain() {
        for (int i = 0; i < N; i += 2) {
            add(groupA[i]);
        }
    }

    private static void check(int size) {
        Child.equal(size, weakMap.size(), "entries of the weak map");
        Child.equal(size, movedMap.size(), "entries of the moved weak map");
        for (Node n : groupA) {
            Child.equal(-n.value, weakMap.get(n).value, "value in the weak map");
            Child.equal(-n.value, movedMap.get(n).value, "value in the moved weak map");
            Child.check(cache.get(n.value).refersTo(n), "cached reference");
        }
        long live = cache.values().stream().filter(r -> !r.refersTo(null)).count();
        Child.equal((long) size, live, "references of the cache that are not cleared");
    }
}
