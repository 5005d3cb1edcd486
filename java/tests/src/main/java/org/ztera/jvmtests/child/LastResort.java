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
 * A large array does not fit beside what lives, which is less than the threshold above which tagged groups move by
 * themselves. They move all the same before there is an OutOfMemoryError.
 */
public final class LastResort {
    private static final int ARRAYS = 600;
    private static final int BYTES = 100_000;

    private static byte[][] group;

    private LastResort() {}

    public static void main(String[] args) {
        Child.main(LastResort::test);
    }

    private static void test() {
        group = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            group[i] = Graphs.bytes(BYTES, i);
        }
        H2.tag(group, 1);
        Child.fullGc();
        Child.inH1(group, "a group below the threshold");
        byte[] large = new byte[50 << 20];
        Child.inH2(group, "a group, when nothing else is left");
        Child.equal(50 << 20, large.length, "length of the array");
        for (int i = 0; i < ARRAYS; i++) {
            Graphs.checkBytes(group[i], i, "the group");
        }
    }
}
