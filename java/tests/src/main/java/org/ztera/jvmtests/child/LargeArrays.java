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
import java.util.Arrays;

/**
 * Arrays larger than a region take a run of regions: primitive ones, and object arrays full of backward
 * references, whose cards lie in every region of the run. Run with regions of 1 MiB.
 */
public final class LargeArrays {
    private static final int LENGTH = 1_200_000;

    private static byte[] bytes;
    private static long[] longs;
    private static Object[] objects;
    private static Node[] targets;

    private LargeArrays() {}

    public static void main(String[] args) {
        Child.main(LargeArrays::test);
    }

    private static void test() {
        primitives();
        objectArray();
        rewriteAndCollect();
        copies();
        death();
    }

    private static void primitives() {
        bytes = Child.move(Graphs.bytes(5_000_000, 1), 1);
        longs = new long[500_000];
        Arrays.setAll(longs, i -> 3L * i);
        Child.move(longs, 1);
        H2Stats.atLeast(9, H2Stats.regionsUsed(), "regions of 9 MB");
        Child.fullGc();
        Graphs.checkBytes(bytes, 1, "large byte array");
        Graphs.fill(bytes, 2);
        for (int i = 0; i < longs.length; i++) {
            Child.equal(3L * i, longs[i], "large long array");
            longs[i] += 1;
        }
        Child.fullGc();
        Graphs.checkBytes(bytes, 2, "rewritten byte array");
        Child.equal(3L * 499_999 + 1, longs[499_999], "last long");
    }

    private static void objectArray() {
        objects = new Object[LENGTH];
        for (int i = 0; i < LENGTH; i += 100) {
            objects[i] = new Node(i);
        }
        Child.move(objects, 2);
        Child.inH2(objects[LENGTH - 100], "an element");
        targets = new Node[LENGTH / 100];
    }

    private static void rewriteAndCollect() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < LENGTH; i += 100) {
                if (i / 100 % 3 == round) {
                    // Young in the first, later old objects of H1.
                    targets[i / 100] = new Node(-i);
                    objects[i + 50] = targets[i / 100];
                    objects[i + 51] = new Node(i + 51);
                }
            }
            Child.youngGcs(2);
            checkObjects(round);
            Child.fullGc();
            checkObjects(round);
        }
    }

    private static void checkObjects(int rounds) {
        for (int i = 0; i < LENGTH; i += 100) {
            Child.equal((long) i, ((Node) objects[i]).value, "element that moved along");
            if (i / 100 % 3 <= rounds) {
                Child.check(objects[i + 50] == targets[i / 100], "element " + (i + 50));
                Child.equal((long) -i, targets[i / 100].value, "H1 target");
                Child.equal(i + 51L, ((Node) objects[i + 51]).value, "H1 object that only the array refers to");
            }
            Child.check(objects[i + 1] == null, "empty element");
        }
    }

    private static void copies() {
        Object[] clone = objects.clone();
        Child.inH1(clone, "a clone");
        Child.check(Arrays.equals(clone, objects), "a clone is equal");
        Arrays.fill(objects, null);
        Child.youngGcs(1);
        System.arraycopy(clone, 0, objects, 0, LENGTH);
        clone = null;
        Child.youngGcs(2);
        Child.fullGc();
        checkObjects(2);
    }

    private static void death() {
        WeakReference<?> weak = new WeakReference<>(objects[51]);
        WeakReference<?> array = new WeakReference<>(objects);
        long freed = H2Stats.regionsFreed();
        // One reference to any part of it keeps all of it; there is none here.
        objects = null;
        targets = null;
        Child.fullGc();
        Child.check(array.refersTo(null), "the array is dead");
        Child.check(weak.refersTo(null), "what only the array referred to is dead");
        H2Stats.atLeast(freed + 5, H2Stats.regionsFreed(), "freed regions");
        Graphs.checkBytes(bytes, 2, "the other array");
        bytes = null;
        longs = null;
        Child.fullGc();
        H2Stats.exactly(0, H2Stats.used(), "used bytes");
    }
}
