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

/** A young collection finds no room in the old generation, and leaves objects in both survivor spaces. */
public final class FailedPromotion {
    /** With three arrays of this size, an old generation of 32 MiB has 2 MiB left. */
    private static final int OLD = 10 << 20;
    /** Nodes of 24 bytes or more: nearly all of an eden of 16 MiB, and more than one survivor space of 8 MiB. */
    private static final int NODES = 640_000;
    private static final int GARBAGE = 100_000;

    private static final byte[][] old = new byte[3][];
    private static byte[] sink;

    private record Node(Node next, long value) {}

    private FailedPromotion() {}

    public static void main(String[] args) {
        Child.main(FailedPromotion::test);
    }

    private static void test() {
        for (int i = 0; i < old.length; i++) {
            old[i] = new byte[OLD];
        }
        System.gc();
        Node list = null;
        for (int i = 0; i < NODES; i++) {
            list = new Node(list, i);
        }
        for (int i = 0; i < GARBAGE; i++) {
            sink = new byte[100];
        }
        Child.check(sum(list) == (long) NODES * (NODES - 1) / 2, "the list is whole");
    }

    private static long sum(Node list) {
        long sum = 0;
        for (Node node = list; node != null; node = node.next()) {
            sum += node.value();
        }
        return sum;
    }
}
