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

import java.util.ArrayDeque;
import org.ztera.H2;

/** Many collections of both kinds that the program's own allocation causes, with a cache whose parts go to H2. */
public final class HeavyAllocation {
    private static final int PARTS = 12;
    private static final int ARRAYS = 250;

    private static final ArrayDeque<Part> cache = new ArrayDeque<>();

    private HeavyAllocation() {}

    public static void main(String[] args) {
        Child.main(HeavyAllocation::test);
    }

    private static final class Part {
        final int id;
        final byte[][] arrays = new byte[ARRAYS][];
        final Object[] slots = new Object[ARRAYS];

        Part(int id) {
            this.id = id;
            for (int i = 0; i < ARRAYS; i++) {
                arrays[i] = new byte[4000];
                arrays[i][i] = (byte) id;
            }
        }

        void touch() {
            for (int i = 0; i < ARRAYS; i++) {
                slots[i] = new long[] {id, i};
            }
        }

        void check() {
            for (int i = 0; i < ARRAYS; i++) {
                Child.equal((byte) id, arrays[i][i], "byte of part " + id);
                long[] slot = (long[]) slots[i];
                Child.check(slot == null || slot[0] == id && slot[1] == i, "slot of part " + id);
            }
        }
    }

    private static void test() {
        for (int id = 0; id < 4 * PARTS; id++) {
            Part part = new Part(id);
            cache.add(part);
            H2.tag(part, id);
            H2.move(id);
            if (cache.size() > PARTS) {
                cache.remove().check();
            }
            Child.youngGcs(1);
            for (Part p : cache) {
                p.touch();
            }
            // Allocation failure, not System.gc, makes most of the full collections of this program.
            if (id % 16 == 15) {
                Child.fullGc();
            }
            for (Part p : cache) {
                p.check();
            }
        }
        H2Stats.atLeast(1, H2Stats.movedObjects(), "moved objects");
    }
}
