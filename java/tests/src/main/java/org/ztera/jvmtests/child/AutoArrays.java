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
 * With {@code H2Auto}, large primitive arrays that have survived full collections move without tag and
 * request once the old generation fills. Small ones may move with them, and what a static field holds
 * stays. Run with a threshold that the arrays exceed, and with an argument to have an object tagged, too.
 */
public final class AutoArrays {
    private static final int LARGE = 100_000;

    private static final byte[][] bytes = new byte[60][];
    private static final byte[][] small = new byte[60][];
    private static final long[][] longs = new long[20][];
    private static final Object tagged = new Object();
    private static final Object[] references = new Object[LARGE];

    private AutoArrays() {}

    public static void main(String[] args) {
        String how = args.length > 0 ? args[0] : "";
        if (how.equals("tagged")) {
            H2.tag(tagged, 1);
        }
        Child.main(() -> test(how));
    }

    private static void test(String how) {
        fill();
        Child.fullGcs(4);
        for (int i = 0; i < bytes.length; i++) {
            Graphs.checkBytes(bytes[i], i, "large array");
            Graphs.checkBytes(small[i], -i, "small array");
        }
        for (int i = 0; i < longs.length; i++) {
            Child.equal((long) i, longs[i][i], "an element of a long array");
        }
        Child.check(references[7] == longs[7], "a reference to an array");
        switch (how) {
            case "stay" -> H2Stats.exactly(0, H2Stats.movedObjects(), "moved objects");
            // As many as make room enough.
            case "some" -> H2Stats.atLeast(1, H2Stats.movedObjects(), "moved objects");
            default -> allMoved();
        }
    }

    private static void allMoved() {
        for (byte[] array : bytes) {
            Child.inH2(array, "a large byte array");
        }
        for (long[] array : longs) {
            Child.inH2(array, "a large long array");
        }
        Child.inH1(references, "an array of references");
        H2Stats.atLeast(bytes.length + longs.length, H2Stats.movedObjects(), "arrays moved");
    }

    private static void fill() {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Graphs.bytes(LARGE, i);
            small[i] = Graphs.bytes(1000, -i);
        }
        for (int i = 0; i < longs.length; i++) {
            longs[i] = new long[LARGE];
            longs[i][i] = i;
            references[i] = longs[i];
        }
    }
}
