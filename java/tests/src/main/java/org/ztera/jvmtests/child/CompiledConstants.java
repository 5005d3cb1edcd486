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

/** Objects that compiled code refers to as constants move; the code follows and keeps them alive. */
public final class CompiledConstants {
    private static final Node CONSTANT = Graphs.list(100, 0);
    private static final long[] TABLE = new long[1000];
    private static final Object[] SLOTS = new Object[64];

    private CompiledConstants() {}

    public static void main(String[] args) {
        Child.main(CompiledConstants::test);
    }

    private static void test() {
        for (int i = 0; i < TABLE.length; i++) {
            TABLE[i] = i;
        }
        long expected = run();
        H2.tag(CONSTANT, 1);
        H2.tag(TABLE, 1);
        H2.tag(SLOTS, 1);
        H2.moveNow(1);
        Child.inH2(CONSTANT, "a constant");
        Child.inH2(TABLE, "a constant table");
        for (int i = 0; i < 5; i++) {
            Child.equal(expected, run(), "result of the same code");
            Child.youngGcs(1);
            Child.fullGc();
            checkSlots();
        }
    }

    private static long run() {
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum += once(i);
        }
        return sum;
    }

    private static long once(int i) {
        long sum = CONSTANT.value + CONSTANT.left.value + TABLE[i % 1000];
        for (Node n = CONSTANT; n != null; n = n.left) {
            sum += n.value;
        }
        SLOTS[i % 64] = new Node(i % 64);
        return sum;
    }

    private static void checkSlots() {
        for (int i = 0; i < SLOTS.length; i++) {
            Child.equal((long) i, ((Node) SLOTS[i]).value, "slot " + i);
        }
    }
}
