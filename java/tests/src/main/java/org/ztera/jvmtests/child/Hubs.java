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
import org.ztera.H2;

/**
 * All objects of a group in H2 refer to a few that stay in H1: references, which may not move. Most of H2 is
 * compressed. A full GC marks these few without reading the objects that refer to them, unless they move.
 */
public final class Hubs {
    private static final int N = 600_000;
    private static final int HUBS = 16;

    private static final Object referent = new Object();
    private static final Object[] hubs = new Object[HUBS];
    private static Node list;

    private Hubs() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        Child.main(Hubs::test);
    }

    private static void test() {
        for (int i = 0; i < HUBS; i++) {
            hubs[i] = new WeakReference<>(referent);
        }
        list = Graphs.listOver(N, hubs);
        Child.fullGcs(2);
        Child.move(list, 1);
        Child.fullGcs(2);
        long before = H2.stats().faultCount();
        Child.fullGcs(3);
        H2Stats.atMost(N / 4000, H2.stats().faultCount() - before, "faults of three full GCs");

        write();
        Child.fullGcs(2);
        drop();
        Child.fullGcs(2);
        check();
    }

    /** Others take the place of some of them, and nobody else refers to those. */
    private static void write() {
        for (Node n = list; n != null; n = n.left) {
            if (n.value % 1000 == 0) {
                n.payload = new WeakReference<>(referent);
            }
        }
    }

    /** The objects of H2 alone refer to them now. */
    private static void drop() {
        for (int i = 0; i < HUBS; i++) {
            hubs[i] = null;
        }
    }

    private static void check() {
        long sum = 0;
        for (Node n = list; n != null; n = n.left) {
            Child.check(n.payload instanceof WeakReference<?> hub && hub.get() == referent, "node " + n.value + " refers to its hub");
            sum += n.value;
        }
        Child.equal(Graphs.listSum(N, 0), sum, "the list");
    }
}
