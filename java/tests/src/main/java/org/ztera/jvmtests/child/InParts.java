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

import java.util.Arrays;
import org.ztera.H2;

/**
 * A group that is larger than the room that there is at first moves in parts, from one full collection to the next,
 * until all of it is in H2. Nothing here compresses. Run with memory for 20 MB, 12 MB of which another group takes
 * until it dies.
 */
public final class InParts {
    private static final int OTHER_BYTES = 12_000_000;
    private static final int ARRAYS = 100;
    private static final int BYTES = 100_000;

    private static byte[][] group;
    private static byte[][] other;

    private InParts() {}

    public static void main(String[] args) {
        Child.main(() -> {
            switch (args[0]) {
                case "asked" -> test(true);
                case "unasked" -> test(false);
                case "beside" -> besideAWholeGroup();
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
    }

    /** Asked for once, or not at all. */
    private static void test(boolean asked) throws InterruptedException {
        other = Child.move(new byte[][] {Graphs.bytes(OTHER_BYTES, -1)}, 9);
        group = build();
        H2.tag(group, 1);
        if (asked) {
            H2.moveNow(1);
        } else {
            Child.fullGc();
        }
        Child.inH2(group, "the root");
        Child.check(!Child.h2() || inH2() < ARRAYS, "the group fitted at once, so this test shows nothing");
        other = null;
        Child.gcUntil(() -> !Child.h2() || inH2() == ARRAYS, 40, "all of the group is in H2");
        for (int i = 0; i < ARRAYS; i++) {
            Child.check(Arrays.equals(group[i], Graphs.bytes(BYTES, i)), "array " + i);
        }
    }

    /** Nobody asks any more for a group that is whole, and was asked for together with one that is not. */
    private static void besideAWholeGroup() {
        other = Child.move(new byte[][] {Graphs.bytes(OTHER_BYTES, -1)}, 9);
        Node whole = Child.move(Graphs.tree(8), 2);
        group = build();
        H2.tag(group, 1);
        H2.move(2);
        H2.moveNow(1);
        whole.payload = new Node(7);
        Child.fullGc();
        Child.check(!Child.h2() || inH2() < ARRAYS, "the group fitted soon, so this test shows nothing");
        Child.inH1(whole.payload, "what a whole group refers to since");
        other = null;
        H2.moveNow(2);
        Child.inH2(whole.payload, "the same, asked for");
    }

    private static byte[][] build() {
        byte[][] arrays = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            arrays[i] = Graphs.bytes(BYTES, i);
        }
        return arrays;
    }

    private static int inH2() {
        int n = 0;
        for (byte[] array : group) {
            n += H2.contains(array) ? 1 : 0;
        }
        return n;
    }
}
