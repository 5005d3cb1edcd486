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

/** Objects fill both survivor spaces, die, and leave the spaces empty for some young collections. */
public final class Survivors {
    private static final int PIECE = 100_000;
    /** Bytes that are kept for a while; they fit into a survivor space of 32 MiB. */
    private static final int KEPT = 24_000_000;
    /** As many bytes as eden has, and some more. */
    private static final int GARBAGE = 40_000_000;

    private static byte[][] kept;
    private static byte[] sink;

    private Survivors() {}

    public static void main(String[] args) {
        Child.main(Survivors::test);
    }

    private static void test() throws Exception {
        Sharing.look(0);
        kept = new byte[KEPT / PIECE][PIECE];
        // Fewer than it takes to grow old, and enough for what is measured to settle.
        youngGcs(12);
        Sharing.look(1);
        kept = null;
        youngGcs(16);
        Sharing.look(2);
    }

    /** At least so many. */
    private static void youngGcs(int count) {
        for (long i = 0; i < (long) count * GARBAGE / PIECE; i++) {
            sink = new byte[PIECE];
        }
    }
}
