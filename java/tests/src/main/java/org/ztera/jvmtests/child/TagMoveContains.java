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

/** The API in its simplest use: tag, move, ask. */
public final class TagMoveContains {
    private static Node moved;
    private static Node tagged;
    private static Node plain;

    private TagMoveContains() {}

    public static void main(String[] args) {
        Child.main(TagMoveContains::test);
    }

    private static void test() {
        moved = Graphs.list(1000, 7);
        tagged = Graphs.list(10, 1);
        plain = Graphs.list(10, 1);
        nothingMovesByItself();
        moveNowMovesTheLabel();
        moveWaitsForTheNextFullGc();
        aLaterTagWins();
        statisticsAddUp();
    }

    private static void nothingMovesByItself() {
        Child.inH1(moved, "an untagged object");
        Child.inH1(null, "null");
        H2.tag(moved, 1);
        H2.tag(tagged, 2);
        Child.fullGcs(2);
        Child.inH1(moved, "an object whose label was never moved");
        H2Stats.exactly(2, H2Stats.tags(), "tags");
    }

    private static void moveNowMovesTheLabel() {
        H2.moveNow(1);
        for (Node n = moved; n != null; n = n.left) {
            Child.inH2(n, "node " + n.value);
        }
        Child.inH1(tagged, "a root of another label");
        Child.inH1(plain, "an object without a tag");
        Child.equal(Graphs.listSum(1000, 7), Graphs.sum(moved), "sum of the moved list");
    }

    private static void moveWaitsForTheNextFullGc() {
        H2.move(2);
        Child.inH1(tagged, "a root before the full GC");
        Child.youngGcs(2);
        Child.inH1(tagged, "a root after young GCs only");
        Child.fullGc();
        Child.inH2(tagged, "a root after the full GC");
        Child.equal(Graphs.listSum(10, 1), Graphs.sum(tagged), "sum");
    }

    private static void aLaterTagWins() {
        H2.tag(plain, 3);
        H2.tag(plain, 4);
        H2.moveNow(3);
        Child.inH1(plain, "a root whose label was replaced");
        H2.moveNow(4);
        Child.inH2(plain, "a root with its last label");
        // Moving what has moved, or what nobody tagged, changes nothing.
        H2.moveNow(4);
        H2.moveNow(99);
        Child.inH2(plain, "a root moved before");
        Child.equal(Graphs.listSum(10, 1), Graphs.sum(plain), "sum");
    }

    private static void statisticsAddUp() {
        H2Stats.exactly(1020, H2Stats.movedObjects(), "moved objects");
        H2Stats.atLeast(1020 * 16, H2Stats.movedBytes(), "moved bytes");
        H2Stats.atLeast(H2Stats.movedBytes(), H2Stats.used(), "used bytes");
        H2Stats.atLeast(3, H2Stats.regionsUsed(), "regions of three labels");
    }
}
