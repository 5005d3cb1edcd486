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

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.locks.LockSupport;
import org.ztera.H2;

/**
 * An object that must not move stays in H1 as the target of backward references, also what only such objects reach,
 * and all of it goes on working while both collectors move it about.
 */
public final class ExcludedStay {
    private static Object[] root;
    private static volatile boolean release;

    private ExcludedStay() {}

    public static void main(String[] args) {
        Child.main(ExcludedStay::test);
    }

    /** A thread with state of its own, which only the thread reaches. */
    private static final class Worker extends Thread {
        final Node onlyHere = new Node(11);

        @Override
        public void run() {
            while (!release) {
                LockSupport.park();
            }
        }
    }

    /** A class loader with state of its own. */
    private static final class Loader extends URLClassLoader {
        final Node onlyHere = new Node(12);

        Loader() {
            super(new URL[0], ExcludedStay.class.getClassLoader());
        }
    }

    /** A reference with a field besides the referent. */
    private static final class Named extends WeakReference<Node> {
        final Node onlyHere = new Node(13);

        Named(Node referent) {
            super(referent);
        }
    }

    private static Node strong;
    private static Node locked;

    private static void test() throws Exception {
        strong = new Node(21);
        locked = new Node(22);
        locked.left = new Node(23);
        root = build();
        ((Thread) root[4]).start();
        ((Thread) root[7]).start();
        synchronized (locked) {
            H2.tag(root, 1);
            H2.moveNow(1);
            Child.inH2(root, "the root");
            Child.inH1(locked, "a locked object");
            Child.inH1(locked.left, "what only a locked object reaches");
        }
        checkPlaces();
        checkWorks();
        for (int i = 0; i < 3; i++) {
            Child.youngGcs(2);
            checkWorks();
            Child.fullGc();
            checkWorks();
        }
        checkPlaces();
        end();
        // Once unlocked it can go like any other object.
        Child.move(locked, 2);
        Child.inH2(locked.left, "the next of the once locked object");
        Child.equal(23L, locked.left.value, "value");
    }

    private static Object[] build() {
        return new Object[] {
            new Named(strong),
            new SoftReference<>(new Node(14)),
            new PhantomReference<>(strong, new ReferenceQueue<>()),
            ExcludedStay.class,
            new Worker(),
            new Loader(),
            new ThreadLocal<Node>(),
            Thread.ofVirtual().name("virtual").unstarted(ExcludedStay::parkHoldingNode),
            locked,
            new Node(15),
        };
    }

    private static void parkHoldingNode() {
        Node local = new Node(16);
        while (!release) {
            LockSupport.park();
        }
        Child.equal(16L, local.value, "a local of a parked virtual thread");
    }

    private static void checkPlaces() {
        for (int i : new int[] {0, 1, 2, 3, 4, 5, 7}) {
            Child.inH1(root[i], "a " + root[i].getClass().getName());
        }
        Child.inH1(((Worker) root[4]).onlyHere, "what only a thread reaches");
        Child.inH1(((Loader) root[5]).onlyHere, "what only a class loader reaches");
        Child.inH1(((Named) root[0]).onlyHere, "what only a reference reaches");
        Child.inH2(root[6], "a plain object among them");
        Child.inH2(root[9], "a plain object among them");
    }

    @SuppressWarnings("unchecked")
    private static void checkWorks() throws Exception {
        Named weak = (Named) root[0];
        Child.check(weak.get() == strong, "weak referent");
        Child.equal(13L, weak.onlyHere.value, "field of a reference");
        Child.equal(14L, ((SoftReference<Node>) root[1]).get().value, "soft referent");
        Child.check(((PhantomReference<Node>) root[2]).refersTo(strong), "phantom referent");
        Child.equal(ExcludedStay.class.getName(), ((Class<?>) root[3]).getName(), "class mirror");
        Worker worker = (Worker) root[4];
        Child.check(worker.isAlive(), "thread is alive");
        Child.equal(11L, worker.onlyHere.value, "field of a thread");
        Child.equal(12L, ((Loader) root[5]).onlyHere.value, "field of a class loader");
        Child.check(((Loader) root[5]).loadClass(Node.class.getName()) == Node.class, "the loader loads");
        ThreadLocal<Node> local = (ThreadLocal<Node>) root[6];
        Node before = local.get();
        Child.check(before == null || before.value == 17, "thread local value");
        local.set(new Node(17));
        Child.check(((Thread) root[7]).isAlive(), "virtual thread is alive");
        synchronized (root[8]) {
            Child.equal(23L, ((Node) root[8]).left.value, "next of the locked object");
        }
        Child.equal(15L, ((Node) root[9]).value, "plain node");
    }

    private static void end() throws InterruptedException {
        release = true;
        for (int i : new int[] {4, 7}) {
            LockSupport.unpark((Thread) root[i]);
            ((Thread) root[i]).join();
        }
    }
}
