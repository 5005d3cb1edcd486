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

/** A program that keeps what it allocates, rests for as long as the parent wants, and then allocates much again. */
public final class Rests {
    private static final int PIECE = 100_000;
    /** Bytes that are promoted, between two full collections that let them go. */
    private static final int PROMOTED = 80_000_000;

    private static byte[][] kept;
    private static volatile byte[] sink;
    private static volatile boolean busy = true;

    private Rests() {}

    public static void main(String[] args) {
        Child.main(Rests::test);
    }

    private static void test() throws Exception {
        for (int i = 0; i < 3; i++) {
            kept = new byte[PROMOTED / PIECE][];
            for (int j = 0; j < kept.length; j++) {
                kept[j] = new byte[PIECE];
            }
            kept = null;
            Child.fullGc();
        }
        Child.ready();
        Thread allocator = new Thread(Rests::allocate);
        allocator.start();
        System.out.println("BUSY");
        Child.ready();
        busy = false;
        allocator.join();
    }

    private static void allocate() {
        while (busy) {
            sink = new byte[PIECE];
        }
    }
}
