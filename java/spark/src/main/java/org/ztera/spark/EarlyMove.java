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
package org.ztera.spark;

import org.ztera.H2;

/**
 * Decides whether blocks move to H2 although Spark has room for them on the heap: blocks stay plain there, and take
 * memory in which H2 would keep several times as much.
 */
final class EarlyMove {
    /** A full collection is worth it from this part of Spark's storage memory on the heap on. */
    private static final int PART = 4;
    /** Data that do not compress are as well off on the heap: 1.5 times, in quarters. */
    private static final long LEAST_QUARTERS = 6;

    private EarlyMove() {
    }

    /**
     * Whether enough has come to the heap since the last move. It is asked at each read.
     *
     * @param added bytes of blocks
     * @param onHeap Spark's most storage memory on the heap
     */
    static boolean isWorthAsking(long added, long onHeap) {
        return added >= onHeap / PART;
    }

    /** Whether H2 is in use, so memory is short, and what is there compresses. */
    static boolean pays(H2.Stats stats) {
        long plain = stats.origDataSize() + stats.ssdDataSize();
        return plain > 0 && 4 * plain >= LEAST_QUARTERS * (stats.memUsedTotal() + stats.ssdUsed());
    }
}
