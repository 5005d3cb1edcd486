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
package org.ztera.fuzz.rt;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Direct buffers: an object with its bytes beside the heap, which are freed when the object is found dead. */
public final class OffHeap {
    private OffHeap() {}

    /** @param seed its contents */
    public static ByteBuffer make(int bytes, long seed) {
        return ByteBuffer.allocateDirect(bytes).put(0, (byte[]) Primitives.make(byte.class, bytes, seed));
    }

    /** Writes a word and reads another, from places that the salt gives. */
    public static long use(ByteBuffer memory, long salt) {
        int places = memory.capacity() - Long.BYTES;
        if (places <= 0) {
            return 3;
        }
        memory.putLong((int) Long.remainderUnsigned(salt, places), salt);
        return memory.getLong((int) Long.remainderUnsigned(salt >>> 5, places));
    }

    /** Copies to an array, or from it. */
    public static void exchange(ByteBuffer memory, byte[] array, int most, boolean toArray) {
        int length = Math.min(most, Math.min(memory.capacity(), array.length));
        if (toArray) {
            memory.get(0, array, 0, length);
        } else {
            memory.put(0, array, 0, length);
        }
    }

    static long hash(ByteBuffer memory) {
        CRC32 crc = new CRC32();
        crc.update(memory.duplicate().clear());
        return crc.getValue() + memory.capacity();
    }
}
