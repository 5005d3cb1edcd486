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

import org.ztera.H2;

/**
 * Objects that moved are made to refer to new ones for as long as the program runs. Their tag does not count any more,
 * and nobody asks for them; all the same the new ones move when the ordinary heap is short. It used to end with an
 * OutOfMemoryError.
 */
public final class Growing {
    private static final int NODES = 1000;
    private static final int BYTES = 10_000;

    private static Node[] group;
    private static Node[] other;

    private Growing() {}

    public static void main(String[] args) {
        Child.main(() -> {
            switch (args[0]) {
                case "grows" -> grow(Integer.parseInt(args[1]));
                case "returns" -> whatReturnedStays();
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
    }

    private static void grow(int megabytes) {
        group = Child.move(nodes(), 1);
        int n = (int) ((long) megabytes * 1_000_000 / BYTES);
        for (int i = 0; i < n; i++) {
            Node at = group[i % NODES];
            Node added = new Node(i);
            added.payload = array(i);
            added.left = at.left;
            at.left = added;
        }
        int inH2 = 0;
        for (int i = 0; i < NODES; i++) {
            long expected = n - NODES + i;
            for (Node added = group[i].left; added != null; added = added.left) {
                Child.equal(expected, added.value, "node " + i);
                check((byte[]) added.payload, (int) expected);
                inH2 += H2.contains(added) ? 1 : 0;
                expected -= NODES;
            }
            Child.check(expected < 0, "the list of node " + i + " is whole");
        }
        H2Stats.atLeast(n / 2, inH2, "added nodes in H2");
    }

    /** A group refers to another one, which is asked back while the heap is short. */
    private static void whatReturnedStays() {
        group = Child.move(nodes(), 1);
        other = Child.move(nodes(), 2);
        Node added = new Node(3);
        for (int i = 0; i < NODES; i++) {
            group[i].right = other[i];
        }
        group[0].left = added;
        if (Child.h2()) {
            Jcmd.run("gcH2Return", "2");
        }
        Child.inH2(group, "the group that nobody asked back");
        Child.inH2(added, "what it was made to refer to");
        Child.inH1(other, "the group that was asked back");
        for (int i = 0; i < NODES; i++) {
            Child.inH1(other[i], "an object of it, which the other group refers to");
            Child.check(group[i].right == other[i], "reference " + i);
        }
    }

    private static Node[] nodes() {
        Node[] nodes = new Node[NODES];
        for (int i = 0; i < NODES; i++) {
            nodes[i] = new Node(-1);
        }
        return nodes;
    }

    /** It compresses well. */
    private static byte[] array(int i) {
        byte[] array = new byte[BYTES];
        for (int j = 0; j < BYTES; j += 500) {
            array[j] = (byte) (i + j);
        }
        return array;
    }

    private static void check(byte[] array, int i) {
        for (int j = 0; j < BYTES; j += 500) {
            Child.check(array[j] == (byte) (i + j), "array " + i);
        }
    }
}
