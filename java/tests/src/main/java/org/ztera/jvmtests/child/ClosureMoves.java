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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** All that a root reaches moves with it, and stays usable and changeable as plain Java objects. */
public final class ClosureMoves {
    private static final int N = 2000;

    private static Map<String, Object> root;

    private ClosureMoves() {}

    public static void main(String[] args) {
        Child.main(ClosureMoves::test);
    }

    private static void test() {
        root = build();
        Object[] samples = samples();
        Child.move(root, 1);
        for (Object o : samples) {
            Child.inH2(o, "a reachable " + o.getClass().getSimpleName());
        }
        check(N);
        Child.youngGcs(2);
        grow();
        Child.youngGcs(2);
        check(2 * N);
        Child.fullGcs(2);
        check(2 * N);
        shrink();
        Child.fullGc();
        check(N);
    }

    private static Map<String, Object> build() {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("hash", new HashMap<String, Long>());
        m.put("tree", new TreeMap<Long, String>());
        m.put("concurrent", new ConcurrentHashMap<String, Node>());
        m.put("skip", new ConcurrentSkipListMap<Integer, int[]>());
        m.put("list", new ArrayList<String>());
        m.put("deque", new ArrayDeque<Node>());
        m.put("matrix", new int[40][50]);
        m.put("node", Graphs.tree(11));
        add(m, 0, N);
        return m;
    }

    private static void grow() {
        add(root, N, 2 * N);
    }

    private static void add(Map<String, Object> m, int from, int to) {
        for (int i = from; i < to; i++) {
            map(m, "hash").put("key " + i, (long) i);
            map(m, "tree").put((long) i, "value " + i);
            map(m, "concurrent").put("key " + i, new Node(i));
            map(m, "skip").put(i, new int[] {i, i + 1});
            list(m).add("text " + i);
            deque(m).add(new Node(i));
        }
    }

    private static void shrink() {
        for (int i = N; i < 2 * N; i++) {
            map(root, "hash").remove("key " + i);
            map(root, "tree").remove((long) i);
            map(root, "concurrent").remove("key " + i);
            map(root, "skip").remove(i);
            list(root).removeLast();
            deque(root).removeLast();
        }
    }

    private static void check(int n) {
        Child.equal(n, map(root, "hash").size(), "size of the hash map");
        Child.equal(n, list(root).size(), "size of the list");
        for (int i = 0; i < n; i++) {
            Child.equal((long) i, map(root, "hash").get("key " + i), "hash map");
            Child.equal("value " + i, map(root, "tree").get((long) i), "tree map");
            Child.equal((long) i, ((Node) map(root, "concurrent").get("key " + i)).value, "concurrent map");
            Child.equal(i + 1, ((int[]) map(root, "skip").get(i))[1], "skip list");
            Child.equal("text " + i, list(root).get(i), "list");
        }
        long i = 0;
        for (Node node : deque(root)) {
            Child.equal(i++, node.value, "deque");
        }
        Child.equal((long) n, i, "size of the deque");
        Graphs.checkTree((Node) root.get("node"), 11);
        for (int[] row : (int[][]) root.get("matrix")) {
            row[0]++;
            Child.equal(((int[][]) root.get("matrix"))[0][0] >= row[0], true, "rows count alike");
        }
    }

    private static Object[] samples() {
        return new Object[] {
            root.get("hash"), root.get("tree"), root.get("concurrent"), root.get("skip"), root.get("list"),
            root.get("deque"), root.get("matrix"), ((int[][]) root.get("matrix"))[39], root.get("node"),
            map(root, "hash").get("key 1999"), list(root).get(7), map(root, "skip").get(1000),
        };
    }

    @SuppressWarnings("unchecked")
    private static Map<Object, Object> map(Map<String, Object> m, String name) {
        return (Map<Object, Object>) m.get(name);
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(Map<String, Object> m) {
        return (List<String>) m.get("list");
    }

    @SuppressWarnings("unchecked")
    private static ArrayDeque<Node> deque(Map<String, Object> m) {
        return (ArrayDeque<Node>) m.get("deque");
    }
}
