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

import java.nio.ByteBuffer;
import java.util.Random;
import org.ztera.H2;

/**
 * A cache of direct buffers, the owners of which lie in H2 and are replaced one by one. The VM may have little more
 * direct memory than is live: dead buffers free theirs. With {@code again}, what was replaced moves now and then.
 */
public final class DirectMemory {
    private static final int BYTES = 64 << 10;
    private static final int RECORDS = 400;
    private static final int TURNS = 20;

    private record Item(ByteBuffer buffer, long[] key) {
        Item(int i) {
            this(ByteBuffer.allocateDirect(BYTES).putInt(0, i), new long[] {i, 31L * i});
        }
    }

    private static final Item[][] cache = new Item[1][];

    private DirectMemory() {}

    public static void main(String[] args) {
        boolean again = args.length > 0;
        Child.main(() -> test(again));
    }

    private static void test(boolean again) {
        Random random = new Random(1);
        cache[0] = new Item[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            cache[0][i] = new Item(i);
        }
        move();
        Child.inH2(cache[0][3].buffer, "a buffer's owner");
        for (int i = RECORDS; i < RECORDS * TURNS; i++) {
            cache[0][random.nextInt(RECORDS)] = new Item(i);
            if (again && i % RECORDS == 0) {
                move();
            }
        }
        for (Item item : cache[0]) {
            Child.equal(item.key[0], (long) item.buffer.getInt(0), "a buffer's content");
        }
    }

    private static void move() {
        H2.tag(cache[0], 1);
        for (Item item : cache[0]) {
            H2.tag(item, 1);
        }
        H2.moveNow(1);
    }
}
