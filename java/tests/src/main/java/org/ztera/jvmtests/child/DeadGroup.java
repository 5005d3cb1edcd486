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

import java.util.List;
import org.ztera.H2;

/**
 * A look finds dead objects in groups that live ({@code GC.h2_live}): runs of regions in which nothing lives are
 * freed at once, and groups that are mostly dead where they live return to H1.
 */
public final class DeadGroup {
    private static final int ARRAYS = 3000;
    private static final int ARRAY_BYTES = 4096;
    private static final int NODES = 200_000;
    /** One of so many stays. */
    private static final int LEFT = 10;

    private static byte[][] sparse;
    private static byte[][] full;
    private static Node cut;
    private static Node whole;

    private DeadGroup() {}

    public static void main(String[] args) {
        Child.main(DeadGroup::test);
    }

    private static void test() {
        sparse = Child.move(arrays(1), 1);
        full = Child.move(arrays(2), 2);
        cut = Child.move(Graphs.list(NODES, 0), 3);
        whole = Child.move(Graphs.list(NODES, 7), 4);
        dead(1, 0, 5);
        dead(3, 0, 5);
        thinOut(sparse);
        cutTail();
        long list = used(3);
        Child.fullGcs(2);
        Child.inH2(sparse, "what nobody has looked at");
        dead(1, 0, 5);

        look();
        dead(1, 85, 91);
        dead(2, 0, 5);
        dead(4, 0, 5);
        H2Stats.atMost(list / 2, used(3), "bytes of what lost its tail");
        Child.inH2(sparse, "what is found mostly dead");

        Child.fullGc();
        Child.inH1(sparse, "what was mostly dead");
        Child.inH1(sparse[LEFT], "what was left of it");
        Child.inH2(full, "what is live");
        Child.inH2(whole, "what one reference keeps alive");
        dead(2, 0, 5);
        for (int i = 0; i < ARRAYS; i += LEFT) {
            Graphs.checkBytes(sparse[i], seed(1, i), "what was left");
        }
        for (int i = 0; i < ARRAYS; i++) {
            Graphs.checkBytes(full[i], seed(2, i), "what is live");
        }
        Child.equal(Graphs.listSum(NODES / LEFT, 0), Graphs.sum(cut), "the list's sum");
        Child.equal(Graphs.listSum(NODES, 7), Graphs.sum(whole), "the whole list's sum");
        H2.moveNow(1);
        Child.inH2(sparse, "what returned, which is tagged as before");
        whatIsAskedForStays();
    }

    /** A group that is asked for does not return, nor does what would have to take it along. */
    private static void whatIsAskedForStays() {
        sparse = Child.move(arrays(5), 5);
        whole = new Node(0);
        whole.payload = sparse;
        Child.move(whole, 6);
        thinOut(sparse);
        look();
        dead(5, 85, 91);
        H2.move(6);
        Child.fullGc();
        Child.inH2(whole, "what was asked for");
        Child.inH2(sparse, "what is mostly dead, with a reference from there");
        look();
        Child.fullGc();
        Child.inH1(whole, "what nobody asks for any more");
        Child.inH1(sparse, "what is mostly dead");
        for (int i = 0; i < ARRAYS; i += LEFT) {
            Graphs.checkBytes(sparse[i], seed(5, i), "what was left");
        }
    }

    private static void look() {
        if (Child.h2()) {
            Jcmd.run("gcH2Live");
        } else {
            System.gc();
        }
    }

    /** How much of a label is known to be dead, in percent. */
    private static void dead(long label, long least, long most) {
        if (!Child.h2()) {
            return;
        }
        H2Info info = H2Info.read().label(label);
        long percent = 100 * info.value("dead_bytes") / info.value("used_bytes");
        Child.check(least <= percent && percent <= most, percent + " % of label " + label + " are dead");
        H2Info regions = H2Info.readWithRegions();
        for (String name : List.of("regions", "used_bytes", "dead_bytes")) {
            Child.equal(info.value(name), regions.sumOfRegions(label, name), name + " of all regions of label " + label);
        }
    }

    private static long used(long label) {
        return Child.h2() ? H2Info.read().label(label).value("used_bytes") : 0;
    }

    private static void thinOut(byte[][] arrays) {
        for (int i = 0; i < ARRAYS; i++) {
            if (i % LEFT != 0) {
                arrays[i] = null;
            }
        }
    }

    private static void cutTail() {
        Node last = cut;
        for (int i = 1; i < NODES / LEFT; i++) {
            last = last.left;
        }
        last.left = null;
    }

    private static byte[][] arrays(int group) {
        byte[][] arrays = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            arrays[i] = Graphs.bytes(ARRAY_BYTES, seed(group, i));
        }
        return arrays;
    }

    private static long seed(int group, int i) {
        return 100_000L * group + i;
    }
}
