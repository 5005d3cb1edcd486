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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StreamBlockId;
import org.apache.spark.storage.memory.SerializedMemoryEntry;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag$;

class LabelsTest {
    private static long label(BlockId block, long bytes) {
        ChunkedByteBuffer buffer = new ChunkedByteBuffer(ByteBuffer.allocate((int) bytes));
        return Labels.of(block, new SerializedMemoryEntry<>(buffer, MemoryMode.ON_HEAP, ClassTag$.MODULE$.apply(byte[].class)));
    }

    /** A program that numbered a group 2^40 + 7 had that moved and freed with RDD 7. */
    @Test
    void eachRddAndEachBroadcastHasALabelThatNoProgramNumbers() {
        long rdd = label(new RDDBlockId(7, 0), Labels.MIN_BYTES);
        long broadcast = label(new BroadcastBlockId(7, ""), Labels.MIN_BYTES);
        assertEquals(rdd, label(new RDDBlockId(7, 1), Labels.MIN_BYTES));
        assertNotEquals(rdd, label(new RDDBlockId(8, 0), Labels.MIN_BYTES));
        assertNotEquals(rdd, broadcast);
        assertTrue(Math.min(rdd, broadcast) >= 1L << 62);
    }

    @Test
    void whatIsSmallOrNeitherStays() {
        assertEquals(Labels.NONE, label(new RDDBlockId(7, 0), Labels.MIN_BYTES - 1));
        assertEquals(Labels.NONE, label(new StreamBlockId(7, 0), Labels.MIN_BYTES));
    }
}
