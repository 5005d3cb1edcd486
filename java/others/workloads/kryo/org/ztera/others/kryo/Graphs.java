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
package org.ztera.others.kryo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** Random object graphs with shared nodes and cycles, and what makes two of them the same. */
final class Graphs {
    enum Colour { RED, GREEN, BLUE }

    /** A node with a field of each kind. */
    static final class Node {
        long number;
        double fraction;
        String text;
        Colour colour;
        int[] ints;
        byte[] bytes;
        Node next;
        Node[] array;
        List<Node> list = new ArrayList<>();
        Map<String, Node> map = new HashMap<>();
    }

    private Graphs() {
    }

    /** A graph of so many nodes, all reachable from the one returned. */
    static Node random(SplittableRandom random, int size) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Node n = node(random);
            if (i > 0) {
                nodes.get(random.nextInt(i)).list.add(n);
            }
            nodes.add(n);
        }
        for (Node n : nodes) {
            n.next = random.nextInt(4) == 0 ? null : any(nodes, random);
            n.array = new Node[random.nextInt(4)];
            for (int i = 0; i < n.array.length; i++) {
                n.array[i] = any(nodes, random);
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                n.map.put("key" + random.nextInt(100), any(nodes, random));
            }
        }
        return nodes.getFirst();
    }

    private static Node any(List<Node> nodes, SplittableRandom random) {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private static Node node(SplittableRandom random) {
        Node n = new Node();
        n.number = random.nextLong();
        n.fraction = random.nextDouble();
        n.text = random.nextInt(5) == 0 ? null : "text " + random.nextInt(10_000);
        n.colour = Colour.values()[random.nextInt(3)];
        n.ints = random.ints(random.nextInt(20)).toArray();
        n.bytes = new byte[random.nextInt(random.nextInt(30) == 0 ? 20_000 : 60)];
        random.nextBytes(n.bytes);
        return n;
    }

    /** Throws if the two differ in any field or in which of their nodes are the same; returns the number of nodes. */
    static int compare(Node a, Node b) {
        Map<Node, Node> pairs = new IdentityHashMap<>();
        List<Node> open = new ArrayList<>();
        pair(a, b, pairs, open);
        while (!open.isEmpty()) {
            Node x = open.removeLast();
            Node y = pairs.get(x);
            if (x.number != y.number || x.fraction != y.fraction || !Objects.equals(x.text, y.text) || x.colour != y.colour
                    || !java.util.Arrays.equals(x.ints, y.ints) || !java.util.Arrays.equals(x.bytes, y.bytes)
                    || x.array.length != y.array.length || x.list.size() != y.list.size() || !x.map.keySet().equals(y.map.keySet())) {
                throw new AssertionError("a node differs: " + x.number + " and " + y.number);
            }
            pair(x.next, y.next, pairs, open);
            for (int i = 0; i < x.array.length; i++) {
                pair(x.array[i], y.array[i], pairs, open);
            }
            for (int i = 0; i < x.list.size(); i++) {
                pair(x.list.get(i), y.list.get(i), pairs, open);
            }
            x.map.forEach((key, node) -> pair(node, y.map.get(key), pairs, open));
        }
        return pairs.size();
    }

    private static void pair(Node a, Node b, Map<Node, Node> pairs, List<Node> open) {
        if ((a == null) != (b == null)) {
            throw new AssertionError("one reference is null");
        }
        if (a == null) {
            return;
        }
        Node before = pairs.putIfAbsent(a, b);
        if (before == null) {
            open.add(a);
        } else if (before != b) {
            throw new AssertionError("what is one node here is two there");
        }
    }
}
