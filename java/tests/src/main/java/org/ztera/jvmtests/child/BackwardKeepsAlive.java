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

/** An H1 object lives as long as a live region refers to it, and no longer. */
public final class BackwardKeepsAlive {
    private static final int N = 300;

    private static Node root;
    private static final WeakReference<?>[] watch = new WeakReference<?>[N];

    private BackwardKeepsAlive() {}

    public static void main(String[] args) {
        Child.main(BackwardKeepsAlive::test);
    }

    private static void test() {
        root = Child.move(Graphs.list(N, 0), 1);
        hang();
        Child.youngGcs(3);
        Child.fullGcs(3);
        checkCleared(i -> false);
        erase(3);
        Child.fullGc();
        checkCleared(i -> i % 3 == 0);
        // An object that nothing referred to when it became garbage must not come back by a stale card.
        Child.youngGcs(2);
        checkCleared(i -> i % 3 == 0);
        root = null;
        Child.fullGc();
        checkCleared(i -> true);
    }

    private static void hang() {
        for (Node n = root; n != null; n = n.left) {
            Node h1 = new Node(1000 + n.value);
            h1.left = new Node(2000 + n.value);
            n.payload = h1;
            watch[(int) n.value] = new WeakReference<>(h1.left);
        }
    }

    private static void erase(int step) {
        for (Node n = root; n != null; n = n.left) {
            if (n.value % step == 0) {
                n.payload = null;
            }
        }
    }

    private static void checkCleared(java.util.function.IntPredicate dead) {
        for (int i = 0; i < N; i++) {
            Child.equal(dead.test(i), watch[i].refersTo(null), "object " + i + " is dead");
        }
        for (Node n = root; n != null; n = n.left) {
            if (!dead.test((int) n.value)) {
                Child.equal(2000 + n.value, ((Node) n.payload).left.value, "object that H2 keeps");
            }
        }
    }
}
