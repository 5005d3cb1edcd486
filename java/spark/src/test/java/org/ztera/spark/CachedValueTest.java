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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.junit.jupiter.api.Test;

class CachedValueTest {
    private static final byte[] BYTES = {1, 2, 3, 4, 5};

    /** Spark reads evicted blocks of the level OFF_HEAP back to such memory, which no limit held. */
    @Test
    void bytesOutsideOfTheHeapAreCopiedToIt() {
        ChunkedByteBuffer direct = new ChunkedByteBuffer(ByteBuffer.allocateDirect(BYTES.length).put(BYTES).flip());
        assertTrue(CachedValue.isDirect(direct.chunks()));
        ChunkedByteBuffer copy = CachedValue.onHeap(direct);
        assertFalse(CachedValue.isDirect(copy.chunks()));
        assertArrayEquals(BYTES, copy.toArray());
    }

    @Test
    void bytesInTheHeapStayWhereTheyAre() {
        ChunkedByteBuffer bytes = new ChunkedByteBuffer(ByteBuffer.wrap(BYTES));
        assertSame(bytes, CachedValue.onHeap(bytes));
    }
}
