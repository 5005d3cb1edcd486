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
package org.ztera.jvmtests.stress;

import java.util.Arrays;

/**
 * The model of one thread's graph: for each cell what it must contain, in primitive arrays that the
 * collector has no reason to touch. Cells are named by ids; -1 stands for null.
 */
final class Shadow {
    /** Most cells at a time. */
    static final int CAPACITY = 16_384;

    final long[] uid = new long[CAPACITY];
    final long[] value = new long[CAPACITY];
    final int[] locked = new int[CAPACITY];
    final int[] a = new int[CAPACITY];
    final int[] b = new int[CAPACITY];
    /** Identity hash, 0 while nobody asked for it. */
    final int[] hash = new int[CAPACITY];
    /** Kind of the payload, and the number it is computed from. */
    final byte[] kind = new byte[CAPACITY];
    final long[] seed = new long[CAPACITY];
    /** Ids of the cells the payload refers to. */
    final int[][] fan = new int[CAPACITY][];

    private final int[] free = new int[CAPACITY];
    private int freeCount = CAPACITY;
    private long nextUid;

    Shadow(int thread) {
        nextUid = (long) thread << 48 | 1 << 20;
        for (int i = 0; i < CAPACITY; i++) {
            free[i] = CAPACITY - 1 - i;
        }
    }

    /** Whether so many cells can be made. */
    boolean hasRoom(int cells) {
        return freeCount >= cells;
    }

    /** A new cell without contents, known to the shadow. */
    Cell create() {
        int id = free[--freeCount];
        uid[id] = nextUid++;
        value[id] = 0;
        locked[id] = 0;
        a[id] = -1;
        b[id] = -1;
        hash[id] = 0;
        kind[id] = Payloads.NONE;
        fan[id] = null;
        return new Cell(uid[id], id);
    }

    /** Forgets a cell that nothing reaches any more. */
    void release(int id) {
        uid[id] = 0;
        fan[id] = null;
        free[freeCount++] = id;
    }

    /** Cells known. */
    int size() {
        return CAPACITY - freeCount;
    }

    /** The knowledge of a cell, for messages. */
    String describe(int id) {
        return "cell " + id + " (uid " + Long.toHexString(uid[id]) + ", value " + value[id] + ", a " + a[id] + ", b " + b[id]
                + ", payload kind " + kind[id] + " seed " + seed[id] + " cells " + Arrays.toString(fan[id]) + ")";
    }
}
