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

/** Has three labels in H2, prints its statistics and waits while the parent asks jcmd for the same. */
public final class Info {
    private static Object[] kept;

    private Info() {}

    public static void main(String[] args) {
        Child.main(Info::test);
    }

    private static void test() throws Exception {
        kept = new Object[] {Graphs.list(1000, 0), Graphs.bytes(3_000_000, 1), Graphs.list(10, 3), new Node(1)};
        for (int i = 0; i < 3; i++) {
            Child.move(kept[i], 10 + i);
        }
        H2.tag(kept[3], 99);
        Object dies = Child.move(Graphs.list(10, 0), 50);
        Child.equal(Graphs.listSum(10, 0), Graphs.sum((Node) dies), "a list");
        dies = null;
        Child.fullGc();
        H2.Stats s = H2.stats();
        System.out.println("STATS " + s.capacityBytes() + " " + s.usedBytes() + " " + s.regionBytes() + " "
                + s.regionsTotal() + " " + s.regionsUsed() + " " + s.regionsFreed() + " " + s.tags() + " "
                + s.movedObjects() + " " + s.movedBytes());
        Child.ready();
    }
}
