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

/** Asks for moves of a label that nobody has, and of one whose root is dead; a root that is in use moves. */
public final class NothingMoves {
    private static long[] kept;

    private NothingMoves() {}

    public static void main(String[] args) {
        Child.main(NothingMoves::test);
    }

    private static void test() {
        H2.moveNow(17);
        tagAndForget();
        H2.moveNow(18);
        kept = new long[1000];
        H2.tag(kept, 19);
        H2.moveNow(19);
        Child.inH2(kept, "a root that is in use");
        H2.moveNow(19);
    }

    private static void tagAndForget() {
        H2.tag(new long[1000], 18);
    }
}
