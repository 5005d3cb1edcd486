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

import java.nio.ByteBuffer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.memory.DeserializedMemoryEntry;
import org.apache.spark.storage.memory.MemoryEntry;
import org.apache.spark.storage.memory.SerializedMemoryEntry;
import org.apache.spark.util.io.ChunkedByteBuffer;

/** The value of an entry of the memory store, seen as a group of objects with one root. */
final class CachedValue {
    private CachedValue() {
    }

    /**
     * The root of the group: the array of elements, or of the buffers that serialised elements are in. Entry and buffer
     * object stay in H1, so that size and mode are known without touching a page of H2.
     *
     * @return null if the entry must stay: Spark closes its elements, or its bytes are not in the Java heap
     */
    static Object root(MemoryEntry<?> entry) {
        if (entry instanceof Closeable) {
            return null;
        }
        if (entry instanceof DeserializedMemoryEntry<?> values) {
            return values.value();
        }
        return entry instanceof SerializedMemoryEntry<?> bytes ? bytes.buffer().chunks() : null;
    }

    /** Whether the bytes of an entry that never moved are outside of the Java heap. */
    static boolean isDirect(Object root) {
        return root instanceof ByteBuffer[] chunks && chunks.length > 0 && chunks[0].isDirect();
    }

    /** The same bytes in the Java heap. Spark reads blocks of the level OFF_HEAP back from disk to other memory. */
    static ChunkedByteBuffer onHeap(ChunkedByteBuffer bytes) {
        return isDirect(bytes.chunks()) ? bytes.copy(length -> ByteBuffer.allocate((int) length)) : bytes;
    }

    /** Whether Spark has to close an element when it drops the entry. Reads every element. */
    static boolean hasCloseable(MemoryEntry<?> entry) {
        if (entry instanceof DeserializedMemoryEntry<?> values && values.value() instanceof Object[] elements) {
            for (Object element : elements) {
                if (element instanceof AutoCloseable) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The same entry, charged to the pool of the given mode. */
    static MemoryEntry<?> chargedTo(MemoryMode mode, MemoryEntry<?> entry) {
        if (entry instanceof DeserializedMemoryEntry<?> values) {
            return recharged(values, mode);
        }
        SerializedMemoryEntry<?> bytes = (SerializedMemoryEntry<?>) entry;
        return new SerializedMemoryEntry<>(bytes.buffer(), mode, bytes.classTag());
    }

    private static <T> MemoryEntry<T> recharged(DeserializedMemoryEntry<T> entry, MemoryMode mode) {
        return new DeserializedMemoryEntry<>(entry.value(), entry.size(), mode, entry.classTag());
    }

    /** An entry that stays in H1 because Spark closes what is in it. */
    static final class Closeable<T> extends DeserializedMemoryEntry<T> {
        private static final long serialVersionUID = 1L;

        Closeable(DeserializedMemoryEntry<T> entry) {
            super(entry.value(), entry.size(), entry.memoryMode(), entry.classTag());
        }
    }
}
