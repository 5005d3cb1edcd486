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

import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.memory.MemoryEntry;

/**
 * Labels of H2: one per RDD and one per broadcast, because each is unpersisted as a whole. The numbers are far from
 * those that a program would choose for groups of its own.
 */
final class Labels {
    /** The block is of a kind that stays in H1. */
    static final long NONE = -1;
    /** A smaller block stays in H1: a label takes a region of H2, and most broadcasts are a task's few kilobytes. */
    static final long MIN_BYTES = 64 << 10;

    private static final long RDD = 1L << 40;
    private static final long BROADCAST = 1L << 41;

    private Labels() {
    }

    static long of(BlockId block, MemoryEntry<?> entry) {
        if (entry.size() < MIN_BYTES) {
            return NONE;
        }
        if (block instanceof RDDBlockId rdd) {
            return RDD + rdd.rddId();
        }
        if (block instanceof BroadcastBlockId broadcast) {
            return BROADCAST + broadcast.broadcastId();
        }
        return NONE;
    }
}
