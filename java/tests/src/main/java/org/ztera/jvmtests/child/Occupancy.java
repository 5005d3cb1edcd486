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
 * When a full collection leaves more than the threshold of the old generation live, tagged groups move
 * without being asked for, the oldest first, but not what returns in the same collection. Run with a threshold that the
 * groups exceed.
 */
public final class Occupancy {
    private static byte[][][] groups = new byte[6][][];

    private Occupancy() {}

    public static void main(String[] args) {
        Child.main(Occupancy::test);
    }

    private static void test() {
        for (int g = 0; g < groups.length; g++) {
            groups[g] = new byte[60][];
            for (int i = 0; i < 60; i++) {
                groups[g][i] = Graphs.bytes(100_000, g * 100 + i);
            }
            H2.tag(groups[g], g);
        }
        Child.fullGcs(3);
        Child.inH2(groups[0], "the group that was tagged first");
        if (Child.h2()) {
            Jcmd.run("gcH2Return", "0");
        }
        Child.inH1(groups[0], "what was asked back, although its tag is there again");
        for (int g = 0; g < groups.length; g++) {
            for (int i = 0; i < 60; i++) {
                Graphs.checkBytes(groups[g][i], g * 100 + i, "group " + g);
            }
        }
    }
}
