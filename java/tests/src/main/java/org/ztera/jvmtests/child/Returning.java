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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.ztera.H2;

/** Groups come back to H1 ({@code GC.h2_return}), with all that refers to them, and are ordinary objects there. */
public final class Returning {
    private static final VarHandle PAYLOAD;

    static {
        try {
            PAYLOAD = MethodHandles.lookup().findVarHandle(Node.class, "payload", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Node root;
    private static Object other;

    private Returning() {}

    public static void main(String[] args) {
        Child.main(Returning::test);
    }

    private static void test() throws Exception {
        nothingToReturn();
        whatItHoldsIsTheSame();
        itMovesAgain();
        itsTagsHoldAgain();
        aRootThatMovedAlongHasItsTag();
        whatReferredToItReturnsToo();
        unknownReferencesAreFound();
        itRefersToWhatStays();
        weakReferencesFollow();
        identityAndMonitorsFollow();
        locksThatAreHeldFollow();
        largeArrays();
        garbageDoesNotComeToLife();
        garbageMayReferToWhatDies();
        whatHasNoRoomStays();
        constantsOfRunningCodeFollow();
        manyTimes();
    }

    private static String giveBack(long label) {
        if (!Child.h2()) {
            System.gc();
            return "";
        }
        return Jcmd.run("gcH2Return", Long.toString(label));
    }

    private static void back(long label) throws Exception {
        String said = giveBack(label);
        Child.check(!Child.h2() || said.matches("(?s)[1-9]\\d*K returned\\s*"), said);
    }

    private static Node holderOf(Object object) {
        Node holder = new Node(0);
        holder.payload = object;
        return holder;
    }

    private static void nothingToReturn() throws Exception {
        Child.check(!Child.h2() || giveBack(77).contains("nothing returned"), "there is no such label");
    }

    private static void whatItHoldsIsTheSame() throws Exception {
        root = Child.move(Graphs.tree(12), 1);
        Node inside = root.left.right;
        back(1);
        Child.inH1(root, "what returned");
        Child.inH1(inside, "what it holds");
        Child.check(root.left.right == inside, "references to one object stay so");
        Graphs.checkTree(root, 12);
        Child.youngGcs(2);
        Child.fullGcs(2);
        Graphs.checkTree(root, 12);
        root = null;
    }

    private static void itMovesAgain() throws Exception {
        root = Child.move(Graphs.tree(10), 2);
        for (int i = 0; i < 3; i++) {
            back(2);
            Child.inH1(root, "what returned");
            Child.move(root, 2);
            Graphs.checkTree(root, 10);
        }
        root = null;
    }

    /** The root's, and that of a root of another label in what returns with it; not that of one which has died. */
    private static void itsTagsHoldAgain() throws Exception {
        root = Child.move(Graphs.tree(10), 21);
        other = Child.move(holderOf(root), 22);
        Child.move(holderOf(root), 22);
        back(21);
        Child.inH1(other, "what referred to what returned");
        Child.check(!Child.h2() || H2.stats().tags() == 2, H2.stats().tags() + " tags of two roots that live");
        H2.moveNow(22);
        Child.inH2(other, "what has its own tag again");
        H2.tag(root, 23);
        H2.moveNow(21);
        Child.inH1(root.left, "what has got another tag since");
        H2.moveNow(23);
        Child.inH2(root, "what has got another tag");
        Graphs.checkTree(root, 10);
        root = null;
        other = null;
    }

    /** It lies in a region of the other label. */
    private static void aRootThatMovedAlongHasItsTag() throws Exception {
        Node inner = Graphs.tree(5);
        Node outer = holderOf(inner);
        H2.tag(inner, 25);
        Child.move(outer, 24);
        Child.inH2(inner, "the root that moved along");
        H2.move(25);
        back(24);
        Child.inH1(inner, "what returned, and was asked for before");
        Child.check(!Child.h2() || H2.stats().tags() == 2, H2.stats().tags() + " tags of two roots");
        H2.moveNow(25);
        Child.inH2(inner, "the inner root by its own tag");
        Child.inH1(outer, "the outer root, which nobody asked for");
        Graphs.checkTree(inner, 5);
    }

    private static void whatReferredToItReturnsToo() throws Exception {
        root = Child.move(Graphs.list(100, 1), 3);
        other = Child.move(holderOf(root), 4);
        back(3);
        Child.inH1(root, "what returned");
        Child.inH1(other, "what referred to it from another label");
        Child.check(((Node) other).payload == root, "and still does");
        Child.equal(Graphs.listSum(100, 1), Graphs.sum(root), "the list");
        root = null;
        other = null;
    }

    /** References from H2 that no collection has seen yet. */
    private static void unknownReferencesAreFound() throws Exception {
        root = Child.move(Graphs.list(100, 1), 5);
        other = Child.move(Graphs.list(1000, 1), 6);
        for (Node n = (Node) other; n != null; n = n.left) {
            PAYLOAD.setRelease(n, root);
        }
        back(5);
        Child.inH1(root, "what returned");
        Child.inH2(other, "what nobody knew to refer to it");
        for (int i = 0; i < 2; i++) {
            for (Node n = (Node) other; n != null; n = n.left) {
                Child.check(n.payload == root, "a reference from H2");
            }
            Child.equal(Graphs.listSum(100, 1), Graphs.sum((Node) ((Node) other).payload), "the list behind it");
            root = (Node) ((Node) other).payload;
            Child.youngGcs(2);
            Child.fullGc();
        }
        root = null;
        Child.fullGcs(2);
        Child.equal(Graphs.listSum(100, 1), Graphs.sum((Node) ((Node) other).payload), "H2 alone keeps it alive");
        other = null;
    }

    private static void itRefersToWhatStays() throws Exception {
        other = Child.move(Graphs.list(100, 1), 7);
        root = Child.move(holderOf(other), 8);
        back(8);
        Child.inH1(root, "what returned");
        Child.inH2(root.payload, "what it refers to");
        other = null;
        Child.fullGcs(3);
        Child.inH2(root.payload, "what only H1 refers to now");
        Child.equal(Graphs.listSum(100, 1), Graphs.sum((Node) root.payload), "the list behind it");
        WeakReference<Object> behind = new WeakReference<>(root.payload);
        root = null;
        Child.fullGcs(3);
        Child.check(behind.refersTo(null), "it dies with what returned");
    }

    private static void weakReferencesFollow() throws Exception {
        root = Child.move(Graphs.list(10, 1), 9);
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<?> weak = new WeakReference<>(root.left, queue);
        Reference<?> soft = new SoftReference<>(root.left.left, queue);
        Reference<?> phantom = new PhantomReference<>(root.left.left.left, queue);
        Map<Node, String> map = new WeakHashMap<>(Map.of(root, "root"));
        back(9);
        Child.check(weak.get() == root.left && soft.get() == root.left.left, "they refer to the copies");
        Child.check(phantom.refersTo(cast(root.left.left.left)) && queue.poll() == null, "the phantom is not cleared");
        Child.equal("root", map.get(root), "a weak key");
        root = null;
        Child.gcUntil(() -> weak.refersTo(null) && map.isEmpty(), 5, "weak references to what has returned are cleared");
        Child.await(() -> queue.poll() != null, "and enqueued");
        Reference.reachabilityFence(phantom);
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object object) {
        return (T) object;
    }

    private static void identityAndMonitorsFollow() throws Exception {
        Node list = Graphs.list(50, 1);
        Map<Object, Integer> hashes = new IdentityHashMap<>();
        for (Node n = list; n != null; n = n.left) {
            hashes.put(n, System.identityHashCode(n));
        }
        root = Child.move(list, 10);
        inflate(root);
        back(10);
        for (Node n = root; n != null; n = n.left) {
            Child.equal(System.identityHashCode(n), hashes.get(n), "the identity hash");
        }
        synchronized (root) {
            root.notifyAll();
        }
        root = null;
    }

    private static void inflate(Object object) throws InterruptedException {
        synchronized (object) {
            object.wait(1);
        }
    }

    private static void locksThatAreHeldFollow() throws Exception {
        root = Child.move(Graphs.list(10, 1), 11);
        synchronized (root) {
            synchronized (root.left) {
                back(11);
                Child.check(Thread.holdsLock(root) && Thread.holdsLock(root.left), "locks stay held");
            }
            Child.check(!Thread.holdsLock(root.left), "and are given back");
        }
        Child.check(!Thread.holdsLock(root), "and are given back");
        root = null;
    }

    private static void largeArrays() throws Exception {
        Object[] arrays = {Graphs.bytes(3 << 20, 5), new Object[400_000], Graphs.bytes(100, 6)};
        Arrays.fill((Object[]) arrays[1], arrays[0]);
        other = Child.move(arrays, 12);
        back(12);
        Child.inH1(arrays[0], "an array larger than a region");
        Graphs.checkBytes((byte[]) arrays[0], 5, "a large array");
        Graphs.checkBytes((byte[]) arrays[2], 6, "a small array");
        for (Object element : (Object[]) arrays[1]) {
            Child.check(element == arrays[0], "an element");
        }
        other = null;
    }

    private static void garbageDoesNotComeToLife() throws Exception {
        root = Child.move(Graphs.list(1000, 1), 13);
        WeakReference<Node> dead = new WeakReference<>(root.left);
        root.left = null;
        back(13);
        Child.fullGc();
        Child.check(dead.refersTo(null), "H1 does not");
        root = null;
    }

    /**
     * Found by the fuzzer: the old place has a dirty card whose reference leads to a region that dies in the same
     * collection.
     */
    private static void garbageMayReferToWhatDies() throws Exception {
        root = Child.move(Graphs.list(2, 1), 15);
        other = Child.move(Graphs.list(10, 1), 16);
        root.left.payload = other;
        WeakReference<Object> dead = new WeakReference<>(other);
        other = null;
        root.left = null;
        back(15);
        Child.inH1(root, "what returned");
        Child.fullGc();
        Child.check(dead.refersTo(null), "garbage keeps nothing alive");
        root = null;
    }

    private static void whatHasNoRoomStays() throws Exception {
        // More than half of the old generation, which has 112 MiB.
        byte[][] blocks = new byte[32][];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = Graphs.bytes(2 << 20, i);
            if (i % 8 == 7) {
                Child.move(blocks, 14);
                blocks = blocks.clone();
            }
        }
        other = blocks;
        String said = giveBack(14);
        Child.check(!Child.h2() || said.contains("has no room"), said);
        for (int i = 0; i < blocks.length; i++) {
            Child.inH2(blocks[i], "what has no room");
            Graphs.checkBytes(blocks[i], i, "it");
        }
        other = null;
    }

    private static final class Constant {
        static final Node NODE = Graphs.tree(4);
    }

    /** Compiled code has the address of a constant in its instructions, and is on the stack when that changes. */
    private static void constantsOfRunningCodeFollow() throws Exception {
        Child.move(Constant.NODE, 17);
        Runnable[] calls = {() -> root = null, () -> root = Constant.NODE, Thread::onSpinWait};
        long sum = 0;
        for (int i = 0; i < 30_000; i++) {
            sum += callBeforeConstant(calls[i % calls.length]);
        }
        Child.equal(30_000L, sum, "the constant's values");
        Child.equal(1L, callBeforeConstant(() -> giveBack(17)), "the constant that has moved");
        Child.inH1(Constant.NODE, "the constant");
        Graphs.checkTree(Constant.NODE, 4);
    }

    private static long callBeforeConstant(Runnable call) {
        call.run();
        other = Constant.NODE;
        return Constant.NODE.value;
    }

    private static void manyTimes() throws Exception {
        Node[] trees = new Node[6];
        other = trees;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < trees.length; i++) {
                trees[i] = Child.move(trees[i] == null ? Graphs.tree(9) : trees[i], 20 + i);
            }
            for (int i = trees.length - 1; i > round; i--) {
                back(20 + (i + round) % trees.length);
                for (Node tree : trees) {
                    Graphs.checkTree(tree, 9);
                }
            }
        }
        other = null;
    }
}
