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

import org.ztera.H2;

/**
 * One young collection promotes what H2 refers to, and the next ones read no page of H2 for it. The VM keeps 4 MiB of
 * H2 resident, a quarter of what refers to H1, and has no H2Verify, which reads all.
 */
public final class PromotedFar {
    private static final int N = 4000;

    private static Node[] nodes = new Node[N];

    private PromotedFar() {}

    public static void main(String[] args) {
        Child.main(PromotedFar::test);
    }

    private static void test() {
        for (int i = 0; i < N; i++) {
            nodes[i] = new Node(i);
            nodes[i].payload = Graphs.bytes(4000, i);
        }
        Child.move(nodes, 1);
        for (int i = 0; i < N; i++) {
            nodes[i].left = new Node(-i);
        }
        Child.youngGcs(1);
        long before = H2.stats().faultCount();
        Child.youngGcs(4);
        long faults = H2.stats().faultCount() - before;
        Child.check(faults < N / 4, faults + " faults in young collections, with " + N + " references from H2");
        for (int i = 0; i < N; i++) {
            Child.equal((long) -i, nodes[i].left.value, "what H2 refers to");
        }
    }
}
