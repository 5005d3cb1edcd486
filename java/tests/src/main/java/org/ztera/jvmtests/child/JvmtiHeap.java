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
 * JVMTI's view of the heap and its tags, and JNI references: objects are counted in both heaps, tags follow
 * the move, and the death of a region frees tags and clears weak global references. The first argument is
 * the path of the agent (see {@link NativeHeap}).
 */
public final class JvmtiHeap {
    private static Node target;
    private static WeakReference<Node> watch;

    private JvmtiHeap() {}

    public static void main(String[] args) {
        System.load(args[0]);
        Child.main(JvmtiHeap::test);
    }

    private static void test() throws InterruptedException {
        Population.create();
        counts();
        tags();
        jniReferences();
        critical();
        death();
    }

    private static void counts() {
        for (int i = 0; i < 2; i++) {
            Child.equal((long) Population.N, NativeHeap.iterate(Population.Moved.class), "IterateThroughHeap in H2");
            Child.equal((long) Population.N, NativeHeap.iterate(Population.Stayed.class), "IterateThroughHeap in H1");
            Child.equal((long) Population.N, NativeHeap.follow(Population.Moved.class), "FollowReferences in H2");
            Child.equal((long) Population.N, NativeHeap.follow(Population.Stayed.class),
                    "FollowReferences to H1 objects behind H2");
            Child.youngGcs(1);
            Child.fullGc();
        }
        Child.equal((long) Population.N, NativeHeap.followFrom(Population.moved(), Population.Stayed.class),
                "FollowReferences from an H2 object");
        Child.equal((long) Population.N * (Population.N - 1) / 2, NativeHeap.intFieldSum(Population.Moved.class),
                "sum of the int fields of H2 objects");
    }

    /** Tags set before the move and after it. */
    private static void tags() {
        Node[] nodes = new Node[500];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Node(i);
            if (i % 2 == 0) {
                NativeHeap.setTag(nodes[i], 10_000 + i);
            }
        }
        Child.move(nodes, 5);
        for (int i = 1; i < nodes.length; i += 2) {
            NativeHeap.setTag(nodes[i], 10_000 + i);
        }
        for (int round = 0; round < 3; round++) {
            long[] all = new long[nodes.length];
            for (int i = 0; i < nodes.length; i++) {
                all[i] = 10_000 + i;
                Child.equal(10_000L + i, NativeHeap.getTag(nodes[i]), "tag of object " + i);
            }
            Object[] found = NativeHeap.objectsWithTags(all);
            Arrays.sort(found, (a, b) -> Long.compare(((Node) a).value, ((Node) b).value));
            Child.check(Arrays.equals(nodes, found), "GetObjectsWithTags");
            Child.youngGcs(1);
            Child.fullGc();
        }
        Child.equal(0L, NativeHeap.freedTags(), "ObjectFree events while all is alive");
        nodes = null;
    }

    private static void jniReferences() {
        target = Child.move(Graphs.list(10, 1), 6);
        watch = new WeakReference<>(target);
        NativeHeap.holdGlobal(target);
        NativeHeap.holdWeakGlobal(target);
        Child.check(NativeHeap.global() == target && NativeHeap.weakGlobal() == target, "JNI references");
        target = null;
        Child.fullGcs(2);
        Child.equal(Graphs.listSum(10, 1), Graphs.sum((Node) NativeHeap.global()), "behind a global reference");
        Child.check(NativeHeap.weakGlobal() == watch.get(), "weak global reference of a live region");
        NativeHeap.holdGlobal(null);
        Child.fullGc();
        Child.check(watch.refersTo(null), "the region is dead");
        Child.check(NativeHeap.weakGlobal() == null, "weak global reference of a dead region");
    }

    private static void critical() {
        // The first one has handlers serve: until then the kernel could not read it.
        criticalCopy(50_000);
        byte[] bytes = Child.move(Graphs.bytes(2_000_000, 9), 7);
        String text = Child.move("some text ".repeat(100_000), 7);
        long sum = 0;
        for (byte b : bytes) {
            sum += b;
        }
        Child.equal(sum, NativeHeap.criticalSum(bytes), "GetPrimitiveArrayCritical");
        NativeHeap.criticalFill(bytes, (byte) 5);
        Child.fullGc();
        Child.equal(5L * bytes.length, NativeHeap.criticalSum(bytes), "written in a critical section");
        Child.equal((long) text.length(), NativeHeap.stringLength(text), "GetStringCritical");
        for (int words : new int[] {1000, 100_000}) {
            String wide = Child.move("\u4e2d\u6587 ".repeat(words), 7);
            Child.equal((long) wide.length(), NativeHeap.stringLength(wide), "GetStringCritical, not Latin-1");
        }
        criticalCopy(2_000_000);
    }

    private static void criticalCopy(int length) {
        byte[] from = Child.move(Graphs.bytes(length, 11), 7);
        byte[] to = Child.move(new byte[length], 7);
        Child.check(NativeHeap.criticalCopy(from, to), "system calls in critical sections");
        Graphs.checkBytes(to, 11, "what the kernel wrote in a critical section");
        NativeHeap.criticalFill(to, (byte) 3);
        Child.equal(3L * length, NativeHeap.criticalSum(to), "written in a critical section");
    }

    private static void death() throws InterruptedException {
        Child.gcUntil(() -> NativeHeap.freedTags() == 500, 3, "ObjectFree events of tagged objects that died");
        Population.check();
        Population.drop();
        Child.fullGc();
        Child.equal(0L, NativeHeap.follow(Population.Moved.class), "FollowReferences after the death");
        // IterateThroughHeap may see unreachable objects, but after a full GC there are none.
        Child.equal(0L, NativeHeap.iterate(Population.Moved.class), "IterateThroughHeap after the death");
    }
}
