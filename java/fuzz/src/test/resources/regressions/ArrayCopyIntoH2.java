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
package fuzzed;

import org.ztera.H2;
import org.ztera.fuzz.rt.*;

/**
 * Written by hand, as the pattern for those that follow. System.arraycopy and clone mark the cards of the whole
 * destination at once; with a destination in H2 the card table's assertion that these cards belong to the old
 * generation failed on fastdebug. An overlapping copy, a checked one that stops midway, and copies from young objects
 * into H2.
 */
public final class ArrayCopyIntoH2 implements FuzzProgram {
    static class Node0 extends Cell {
        Object any;

        @Override
        public void visit(Walk w) {
            super.visit(w);
            w.ref(any);
        }
    }

    final Fuzz f = Fuzz.current();
    Object[] objects = new Object[3000];
    Node0[] nodes = new Node0[3000];

    @Override
    public void run() throws Throwable {
        f.tag(objects, 1);
        f.tag(nodes, 2);
        H2.move(1);
        H2.moveNow(2);
        for (int round = 0; round < 5; round++) {
            Object[] young = new Object[1000];
            for (int i = 0; i < young.length; i++) {
                Node0 node = new Node0();
                node.any = new int[] {round, i};
                young[i] = i == 700 ? "no node" : node;
            }
            System.arraycopy(young, 0, objects, round * 400, young.length);
            System.arraycopy(objects, 0, objects, 7, 2000);
            try {
                System.arraycopy(young, 0, nodes, round * 500, young.length);
            } catch (ArrayStoreException e) {
                f.thrown(e);
            }
            young = null;
            f.garbage(8000);
            f.checksum(this);
            objects = objects.clone();
            f.tag(objects, 1);
            H2.moveNow(1);
            f.checksum(this);
        }
    }

    @Override
    public void visit(Walk w) {
        w.ref(objects);
        w.ref(nodes);
    }
}
