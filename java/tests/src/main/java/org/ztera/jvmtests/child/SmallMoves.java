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

import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * Many small moves to one label, by many collector threads, fit in little more address space than their objects have
 * bytes.
 */
public final class SmallMoves {
    private static final int MOVES = 150;
    private static final int NODES = 200;
    private static final int BYTES = 1000;

    private static final List<byte[][]> PARTS = new ArrayList<>();

    private SmallMoves() {}

    public static void main(String[] args) {
        Child.main(SmallMoves::test);
    }

    private static void test() {
        for (int i = 0; i < MOVES; i++) {
            byte[][] part = new byte[NODES][];
            for (int j = 0; j < NODES; j++) {
                part[j] = Graphs.bytes(BYTES, i * 1000 + j);
            }
            PARTS.add(part);
            H2.tag(part, 1);
            H2.moveNow(1);
        }
        for (int i = 0; i < MOVES; i++) {
            byte[][] part = PARTS.get(i);
            Child.inH2(part, "part " + i);
            for (int j = 0; j < NODES; j++) {
                Child.inH2(part[j], "an array of part " + i);
                Graphs.checkBytes(part[j], i * 1000 + j, "part " + i);
            }
        }
    }
}
