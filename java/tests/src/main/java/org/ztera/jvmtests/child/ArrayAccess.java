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

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Bulk operations on arrays in H2: arraycopy in every direction, clone, fill, sort, with young references. */
public final class ArrayAccess {
    private static final int N = 20_000;

    private static Node[] h2;
    private static Node[] h1;
    private static Node[] expected;

    private ArrayAccess() {}

    public static void main(String[] args) {
        Child.main(ArrayAccess::test);
    }

    private static void test() {
        h2 = Child.move(new Node[N], 1);
        h1 = new Node[N];
        expected = new Node[N];
        h1ToH2();
        withinH2();
        h2ToH2();
        clones();
        bulkAlgorithms();
        arrayStoreChecks();
        primitives();
    }

    private static Node[] fresh(int from) {
        Node[] a = new Node[N];
        for (int i = 0; i < N; i++) {
            a[i] = new Node(from + i);
        }
        return a;
    }

    private static void check(Node[] array, int from, int to, long first) {
        for (int i = from; i < to; i++) {
            Child.equal(first + i - from, array[i].value, "element " + i);
        }
    }

    private static void h1ToH2() {
        System.arraycopy(fresh(0), 0, h2, 0, N);
        Child.youngGcs(2);
        check(h2, 0, N, 0);
        System.arraycopy(fresh(5000), 100, h2, 7, 3333);
        Child.youngGcs(1);
        Child.fullGc();
        check(h2, 7, 3340, 5100);
        check(h2, 3340, N, 3340);
    }

    private static void withinH2() {
        System.arraycopy(fresh(0), 0, h2, 0, N);
        System.arraycopy(h2, 0, h2, 1000, N - 1000);
        Child.youngGcs(2);
        check(h2, 1000, N, 0);
        System.arraycopy(h2, 1000, h2, 0, N - 1000);
        Child.youngGcs(2);
        Child.fullGc();
        check(h2, 0, N - 1000, 0);
    }

    private static void h2ToH2() {
        Node[] other = Child.move(new Node[N], 2);
        System.arraycopy(fresh(70_000), 0, h2, 0, N);
        System.arraycopy(h2, 0, other, 0, N);
        Arrays.fill(h2, null);
        Child.youngGcs(3);
        check(other, 0, N, 70_000);
        System.arraycopy(other, 0, h1, 0, N);
        Arrays.fill(other, null);
        Child.youngGcs(1);
        Child.fullGc();
        check(h1, 0, N, 70_000);
        System.arraycopy(h1, 0, h2, 0, N);
    }

    private static void clones() {
        Node[] clone = h2.clone();
        Child.inH1(clone, "a clone");
        Arrays.fill(h2, null);
        Child.youngGcs(2);
        check(clone, 0, N, 70_000);
        System.arraycopy(clone, 0, h2, 0, N);
        Node[] part = Arrays.copyOfRange(h2, 50, 150);
        check(part, 0, 100, 70_050);
    }

    private static void bulkAlgorithms() {
        List<Node> view = Arrays.asList(h2);
        Collections.shuffle(view, new java.util.Random(3));
        Child.youngGcs(1);
        Arrays.sort(h2, (a, b) -> Long.compare(a.value, b.value));
        Child.youngGcs(1);
        check(h2, 0, N, 70_000);
        Arrays.setAll(h2, i -> new Node(i));
        Child.youngGcs(2);
        check(h2, 0, N, 0);
        Arrays.parallelSetAll(h2, i -> new Node(2L * N - i));
        Arrays.parallelSort(h2, (a, b) -> Long.compare(a.value, b.value));
        Child.youngGcs(1);
        check(h2, 0, N, N + 1L);
        Arrays.setAll(expected, i -> h2[i]);
        Child.check(Arrays.equals(expected, h2), "arrays with the same elements");
    }

    /** A copy that fails half way has stored the first half, and its cards. */
    private static void arrayStoreChecks() {
        Object[] mixed = new Object[200];
        for (int i = 0; i < mixed.length; i++) {
            mixed[i] = i < 100 ? new Node(900 + i) : "not a node";
        }
        try {
            System.arraycopy(mixed, 0, h2, 0, mixed.length);
            throw new AssertionError("a string in an array of nodes");
        } catch (ArrayStoreException e) {
            mixed = null;
        }
        Child.youngGcs(3);
        check(h2, 0, 100, 900);
    }

    private static void primitives() {
        int[] ints = Child.move(new int[100_000], 3);
        double[] doubles = Child.move(new double[50_000], 3);
        Arrays.setAll(ints, i -> i * 7);
        Arrays.setAll(doubles, i -> i / 3.0);
        Child.fullGc();
        System.arraycopy(ints, 0, ints, 1, 99_999);
        int[] copy = ints.clone();
        double[] half = Arrays.copyOf(doubles, 25_000);
        for (int i = 1; i < ints.length; i++) {
            Child.equal((i - 1) * 7, copy[i], "int " + i);
        }
        Child.equal(-1, Arrays.mismatch(copy, ints), "mismatch");
        Child.equal(25_000, Arrays.mismatch(half, doubles), "mismatch of doubles");
    }
}
