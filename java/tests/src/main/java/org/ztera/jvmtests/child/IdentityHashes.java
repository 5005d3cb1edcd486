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

import java.util.IdentityHashMap;
import java.util.Map;

/** An identity hash, once seen, never changes: not by the move, nor by any collection after it. */
public final class IdentityHashes {
    private static final int N = 3000;

    private static Object[] objects;
    private static final int[] hashes = new int[N];
    private static final Map<Object, Integer> outside = new IdentityHashMap<>();
    private static Map<Object, Integer> inside;

    private IdentityHashes() {}

    public static void main(String[] args) {
        Child.main(IdentityHashes::test);
    }

    private static void test() {
        build();
        hash(0, N / 3);
        Child.move(objects, 1);
        Child.move(inside, 2);
        check(N / 3);
        hash(N / 3, 2 * N / 3);
        check(2 * N / 3);
        for (int round = 0; round < 3; round++) {
            Child.youngGcs(2);
            check(2 * N / 3);
            Child.fullGc();
            check(2 * N / 3);
        }
        hash(2 * N / 3, N);
        Child.fullGc();
        check(N);
        Child.equal(N, distinctObjects(), "distinct objects");
    }

    /** Shapes for which a header and a hash meet differently: no field, one int, arrays of odd lengths. */
    private static void build() {
        objects = new Object[N];
        for (int i = 0; i < N; i++) {
            objects[i] = switch (i % 6) {
                case 0 -> new Object();
                case 1 -> new Node(i);
                case 2 -> new byte[i % 17];
                case 3 -> new Object[i % 5];
                case 4 -> Integer.valueOf(100_000 + i);
                default -> "text " + i;
            };
        }
        inside = new IdentityHashMap<>();
    }

    private static void hash(int from, int to) {
        for (int i = from; i < to; i++) {
            hashes[i] = System.identityHashCode(objects[i]);
            outside.put(objects[i], i);
            inside.put(objects[i], i);
        }
    }

    private static void check(int to) {
        for (int i = 0; i < to; i++) {
            Child.equal(hashes[i], System.identityHashCode(objects[i]), "identity hash of object " + i);
            Child.equal(i, outside.get(objects[i]), "identity map in H1");
            Child.equal(i, inside.get(objects[i]), "identity map in H2");
            if (objects[i].getClass() == Object.class) {
                Child.equal(hashes[i], objects[i].hashCode(), "hash code of object " + i);
            }
        }
    }

    private static int distinctObjects() {
        return outside.size();
    }
}
