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

/**
 * Half of the objects at the start of H1 are dead. Then an array needs more room in a row than is free behind the
 * others, as long as these keep their places.
 */
public final class LastRoom {
    private static final int LEN = 4 << 10;
    private static final int ARRAYS = (40 << 20) / LEN;
    private static final int SPARSE = ARRAYS / 2;

    private static final byte[][] arrays = new byte[ARRAYS][];

    private LastRoom() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        Child.main(LastRoom::test);
    }

    private static void test() {
        for (int i = 0; i < ARRAYS; i++) {
            arrays[i] = new byte[LEN];
            arrays[i][0] = (byte) i;
        }
        Child.fullGcs(1);
        for (int i = 0; i < SPARSE; i += 2) {
            arrays[i] = null;
        }
        byte[] large = new byte[16 << 20];
        large[large.length - 1] = 1;
        for (int i = 0; i < ARRAYS; i++) {
            boolean isDead = i < SPARSE && i % 2 == 0;
            Child.check(isDead ? arrays[i] == null : arrays[i][0] == (byte) i, "array " + i);
        }
        Child.equal((byte) 1, large[large.length - 1], "the large array");
    }
}
