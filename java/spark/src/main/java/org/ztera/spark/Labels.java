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
import org.ztera.H2;
import org.ztera.H2Group;

/**
 * Labels of H2: one per RDD and one per broadcast, because each is unpersisted as a whole. They are parts of two named
 * groups, so they are not the program's own.
 */
final class Labels {
    /** The block is of a kind that stays in H1. */
    static final long NONE = -1;
    /** A smaller block stays in H1: a label takes a region of H2, and most broadcasts are a task's few kilobytes. */
    static final long MIN_BYTES = 64 << 10;

    private static final H2Group RDDS = H2.group("org.ztera.spark/rdd");
    private static final H2Group BROADCASTS = H2.group("org.ztera.spark/broadcast");

    private Labels() {
    }

    static long of(BlockId block, MemoryEntry<?> entry) {
        if (entry.size() < MIN_BYTES) {
            return NONE;
        }
        if (block instanceof RDDBlockId rdd) {
            return RDDS.part(rdd.rddId()).label();
        }
        if (block instanceof BroadcastBlockId broadcast) {
            return BROADCASTS.part(broadcast.broadcastId()).label();
        }
        return NONE;
    }
}
