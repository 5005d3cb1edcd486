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

/** The tag table neither keeps roots alive nor moves dead ones. */
public final class TagTable {
    private static final int N = 500;

    private static Node[] roots;
    private static WeakReference<?>[] watch;

    private TagTable() {}

    public static void main(String[] args) {
        Child.main(TagTable::test);
    }

    private static void test() {
        tagMany();
        H2Stats.exactly(N, H2Stats.tags(), "tags");
        drop(i -> i % 2 == 0);
        Child.fullGc();
        H2Stats.exactly(N / 2, H2Stats.tags(), "tags of live roots");
        checkCleared(i -> i % 2 == 0);
        deadRootsAreNotMoved();
        rootsMovedBeforeCanDie();
        tagsOfWhatDiesYoungGo();
    }

    /** Without a full collection. */
    private static void tagsOfWhatDiesYoungGo() {
        for (int i = 0; i < 200_000; i++) {
            H2.tag(new Object(), 6);
        }
        Child.youngGcs(2);
        H2Stats.atMost(10_000, H2Stats.tags(), "tags of what died young");
    }

    private static void tagMany() {
        roots = new Node[N];
        watch = new WeakReference<?>[N];
        for (int i = 0; i < N; i++) {
            roots[i] = Graphs.list(10, i);
            watch[i] = new WeakReference<>(roots[i]);
            H2.tag(roots[i], 5);
        }
    }

    private static void deadRootsAreNotMoved() {
        H2.move(5);
        drop(i -> i % 4 == 1);
        Child.fullGc();
        checkCleared(i -> i % 4 != 3);
        H2Stats.exactly(N / 4 * 10, H2Stats.movedObjects(), "objects of the roots that were alive");
        for (int i = 3; i < N; i += 4) {
            Child.inH2(roots[i], "live root " + i);
            Child.equal(Graphs.listSum(10, i), Graphs.sum(roots[i]), "list " + i);
        }
    }

    private static void rootsMovedBeforeCanDie() {
        drop(i -> true);
        Child.fullGc();
        checkCleared(i -> true);
        H2Stats.exactly(0, H2Stats.tags(), "tags at the end");
        H2Stats.exactly(0, H2Stats.used(), "used bytes at the end");
    }

    private static void drop(java.util.function.IntPredicate which) {
        for (int i = 0; i < N; i++) {
            if (which.test(i)) {
                roots[i] = null;
            }
        }
    }

    private static void checkCleared(java.util.function.IntPredicate which) {
        for (int i = 0; i < N; i++) {
            Child.equal(which.test(i), watch[i].refersTo(null), "root " + i + " is dead");
        }
    }
}
