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
 * Freed regions are used again, and read as new: more is moved in all than H2 can hold. Run with an H2
 * of 64 MiB.
 */
public final class RegionReuse {
    private static final int ROUNDS = 12;
    private static final int ARRAYS = 160;
    private static final int ARRAY_BYTES = 100_000;

    private static byte[][] current;
    private static Node list;

    private RegionReuse() {}

    public static void main(String[] args) {
        Child.main(RegionReuse::test);
    }

    private static void test() {
        for (int round = 0; round < ROUNDS; round++) {
            build(round);
            H2.tag(current, round);
            H2.tag(list, round);
            H2.moveNow(round);
            check(round);
        }
        H2Stats.atLeast(ROUNDS * (long) ARRAYS * ARRAY_BYTES, H2Stats.movedBytes(), "moved bytes");
        H2Stats.atMost(2L * ARRAYS * ARRAY_BYTES, H2Stats.used(), "used bytes");
        H2Stats.atLeast(ROUNDS - 2, H2Stats.regionsFreed(), "freed regions");
    }

    private static void build(int round) {
        current = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            current[i] = Graphs.bytes(ARRAY_BYTES, round * 1000 + i);
        }
        list = Graphs.list(1000, round);
    }

    private static void check(int round) {
        for (int i = 0; i < ARRAYS; i++) {
            Child.inH2(current[i], "array " + i + " of round " + round);
            Graphs.checkBytes(current[i], round * 1000 + i, "round " + round);
        }
        Child.equal(Graphs.listSum(1000, round), Graphs.sum(list), "list of round " + round);
    }
}
