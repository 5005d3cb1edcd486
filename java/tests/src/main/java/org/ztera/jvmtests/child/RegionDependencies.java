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

/**
 * A region lives while a live region refers to it, whatever the label and whether the reference was there
 * at the move or stored later; chains and cycles of regions that nothing else reaches die.
 */
public final class RegionDependencies {
    private static Node a;
    private static Node b;
    private static Node c;

    private RegionDependencies() {}

    public static void main(String[] args) {
        Child.main(RegionDependencies::test);
    }

    private static void test() {
        storedLater();
        thereAtTheMove();
        throughH1();
        dependencyThatWentAway();
        cycleDies();
        longChainDies();
    }

    private static WeakReference<Node> weak(Node n) {
        return new WeakReference<>(n);
    }

    private static void storedLater() {
        a = Child.move(Graphs.list(10, 1), 1);
        b = Child.move(Graphs.list(10, 2), 2);
        a.left.payload = b;
        WeakReference<Node> weak = weak(b);
        b = null;
        Child.fullGcs(3);
        Child.check(!weak.refersTo(null), "a region that another refers to lives");
        Child.equal(Graphs.listSum(10, 2), Graphs.sum((Node) a.left.payload), "the list behind it");
        a = null;
        expectDead(weak);
    }

    private static void thereAtTheMove() {
        b = Child.move(Graphs.list(10, 3), 3);
        a = new Node(4);
        a.payload = b;
        a = Child.move(a, 4);
        WeakReference<Node> weak = weak(b);
        b = null;
        Child.fullGcs(3);
        Child.equal(Graphs.listSum(10, 3), Graphs.sum((Node) a.payload), "the list behind it");
        a = null;
        expectDead(weak);
    }

    /** H2 region to H1 object to another H2 region: an ordinary path of strong references. */
    private static void throughH1() {
        a = Child.move(new Node(5), 5);
        b = Child.move(Graphs.list(10, 6), 6);
        a.payload = new Node(7);
        ((Node) a.payload).payload = b;
        WeakReference<Node> weak = weak(b);
        b = null;
        Child.youngGcs(2);
        Child.fullGcs(3);
        Child.equal(Graphs.listSum(10, 6), Graphs.sum((Node) ((Node) a.payload).payload), "the list behind it");
        a = null;
        expectDead(weak);
    }

    private static void dependencyThatWentAway() throws AssertionError {
        a = Child.move(new Node(8), 8);
        b = Child.move(new Node(9), 9);
        a.payload = b;
        Child.fullGc();
        a.payload = null;
        // Dependencies may be remembered until the referring region dies, but never lost.
        a.payload = b;
        WeakReference<Node> weak = weak(b);
        b = null;
        Child.fullGcs(2);
        Child.equal(9L, ((Node) a.payload).value, "the object behind it");
        a = null;
        expectDead(weak);
    }

    private static void cycleDies() {
        a = Child.move(new Node(10), 10);
        b = Child.move(new Node(11), 11);
        c = Child.move(new Node(12), 12);
        a.payload = b;
        b.payload = c;
        c.payload = a;
        WeakReference<Node> weak = weak(a);
        b = null;
        c = null;
        Child.fullGcs(3);
        Child.equal(12L, ((Node) ((Node) a.payload).payload).value, "round the cycle");
        Child.check(((Node) ((Node) a.payload).payload).payload == a, "the cycle closes");
        a = null;
        expectDead(weak);
    }

    private static void longChainDies() {
        Node last = null;
        WeakReference<?>[] weak = new WeakReference<?>[40];
        for (int i = 0; i < weak.length; i++) {
            a = new Node(i);
            a.payload = last;
            last = Child.move(a, 100 + i);
            weak[i] = weak(last);
        }
        last = null;
        H2Stats.atLeast(weak.length, H2Stats.regionsUsed(), "regions of the chain");
        int length = 0;
        for (Node n = a; n != null; n = (Node) n.payload) {
            length++;
        }
        Child.equal(weak.length, length, "length of the chain");
        a = null;
        expectDead(weak);
    }

    private static void expectDead(WeakReference<?>... refs) {
        Child.fullGc();
        for (WeakReference<?> r : refs) {
            Child.check(r.refersTo(null), "a region that nothing reaches is dead");
        }
        H2Stats.exactly(0, H2Stats.regionsUsed(), "regions in use");
    }
}
