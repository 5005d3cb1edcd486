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

/**
 * Builds and sums graphs. Nothing built here refers to objects shared with the rest of the program
 * (interned strings, cached boxes), since such an object would keep the region it moves to alive.
 */
public final class Graphs {
    private Graphs() {}

    /** A list of {@code n} nodes linked by {@link Node#left}, values {@code first, first + 1, ...}. */
    public static Node list(int n, long first) {
        Node head = null;
        for (int i = n - 1; i >= 0; i--) {
            Node node = new Node(first + i);
            node.left = head;
            head = node;
        }
        return head;
    }

    /** The same with values from 0 on. The payload of a node is the one at its value, over and over. */
    public static Node listOver(int n, Object... payloads) {
        Node head = list(n, 0);
        for (Node node = head; node != null; node = node.left) {
            node.payload = payloads[(int) (node.value % payloads.length)];
        }
        return head;
    }

    /** The sum of {@code n} values that start with {@code first}: what {@link #sum} of such a list is. */
    public static long listSum(int n, long first) {
        return n * first + (long) n * (n - 1) / 2;
    }

    /** Adds up a list along {@link Node#left}. */
    public static long sum(Node head) {
        long sum = 0;
        for (Node n = head; n != null; n = n.left) {
            sum += n.value;
        }
        return sum;
    }

    /** Adds up the {@link Node#payload} nodes of a list. */
    public static long payloadSum(Node head) {
        long sum = 0;
        for (Node n = head; n != null; n = n.left) {
            sum += ((Node) n.payload).value;
        }
        return sum;
    }

    /** A complete binary tree with {@code depth} levels; node {@code i} has value {@code i} as in a heap. */
    public static Node tree(int depth) {
        return tree(depth, 1);
    }

    private static Node tree(int depth, long value) {
        Node node = new Node(value);
        if (depth > 1) {
            node.left = tree(depth - 1, 2 * value);
            node.right = tree(depth - 1, 2 * value + 1);
        }
        return node;
    }

    /** Fails unless the tree is as {@link #tree(int)} built it. */
    public static void checkTree(Node node, int depth) {
        checkTree(node, depth, 1);
    }

    private static void checkTree(Node node, int depth, long value) {
        Child.equal(value, node.value, "tree node");
        if (depth > 1) {
            checkTree(node.left, depth - 1, 2 * value);
            checkTree(node.right, depth - 1, 2 * value + 1);
        } else {
            Child.check(node.left == null && node.right == null, "leaf with children");
        }
    }

    /** {@code n} bytes that a seed determines. */
    public static byte[] bytes(int n, long seed) {
        byte[] b = new byte[n];
        fill(b, seed);
        return b;
    }

    /** Overwrites {@code b} with what {@link #bytes} gives for the seed. */
    public static void fill(byte[] b, long seed) {
        new java.util.Random(seed).nextBytes(b);
    }

    /** Fails unless {@code b} is what {@link #bytes} gives for the seed. */
    public static void checkBytes(byte[] b, long seed, String what) {
        Child.check(java.util.Arrays.equals(b, bytes(b.length, seed)), what + ": bytes differ");
    }
}
