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
import org.ztera.H2Group;

/** Groups with names move and die each by itself, and H2.collect collects where nothing else does. */
public final class NamedGroups {
    private static final int NODES = 1000;
    private static final H2Group NAMED = H2.group("org.ztera.jvmtests/named");

    private static Node[] named;
    private static Node part;

    private NamedGroups() {}

    public static void main(String[] args) {
        Child.main(NamedGroups::test);
    }

    private static void test() {
        named = new Node[NODES];
        for (int i = 0; i < NODES; i++) {
            named[i] = new Node(i);
        }
        NAMED.tag(named);
        NAMED.move();
        H2.collect();
        Child.inH2(named, "the group that a collection moves");
        part = Graphs.list(NODES, 5);
        NAMED.part(1).tag(part);
        NAMED.part(1).moveNow();
        Child.inH2(part, "the part");

        WeakReference<Node> dropped = new WeakReference<>(named[0]);
        WeakReference<Node> kept = new WeakReference<>(named[1]);
        named[0] = null;
        H2.collect();
        Child.check(!Child.h2() || dropped.refersTo(null), "a collection finds what died in a group that lives");
        Child.check(kept.refersTo(named[1]), "and nothing else");

        long freed = H2Stats.regionsFreed();
        named = null;
        H2.collect();
        H2Stats.atLeast(freed + 1, H2Stats.regionsFreed(), "regions freed with the group");
        Child.inH2(part, "the part that lives on");
        Child.equal(Graphs.listSum(NODES, 5), Graphs.sum(part), "sum");
    }
}
