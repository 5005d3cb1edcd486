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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.memory.MemoryEntry;
import org.ztera.H2;

/**
 * Charges each block to the pool of the heap that it is in now, and tells of those in H1. The JVM moves blocks by
 * itself, too, in both directions. Sizes are in bytes.
 */
final class Books {
    private final MemoryManager memory;
    private final List<Map.Entry<BlockId, MemoryEntry<?>>> returned = new ArrayList<>();
    private final Set<Long> labels = new TreeSet<>();
    private long movable;
    private long uncharged;

    private Books(MemoryManager memory) {
        this.memory = memory;
    }

    /**
     * Settles the books. Blocks that are in H2 leave the on-heap pool. Blocks that came back to H1 enter it.
     *
     * @param entries the store's blocks
     * @param mayTake at most so much of the on-heap pool is taken for blocks that came back
     */
    static Books settle(MemoryManager memory, Map<BlockId, MemoryEntry<?>> entries, long mayTake) {
        Books books = new Books(memory);
        synchronized (memory) {
            synchronized (entries) {
                entries.entrySet().forEach(books::look);
                books.chargeReturned(mayTake);
            }
        }
        return books;
    }

    /** Labels of the blocks that are in H1 and may move. */
    Set<Long> labels() {
        return labels;
    }

    /** The size of these blocks. */
    long movable() {
        return movable;
    }

    /** The size of blocks that came back to H1 and are still charged to the off-heap pool. */
    long uncharged() {
        return uncharged;
    }

    private void look(Map.Entry<BlockId, MemoryEntry<?>> slot) {
        MemoryEntry<?> entry = slot.getValue();
        Object root = CachedValue.root(entry);
        long label = Labels.of(slot.getKey(), entry);
        if (root == null || label == Labels.NONE) {
            return;
        }
        if (H2.contains(root)) {
            if (entry.memoryMode() == MemoryMode.ON_HEAP && entry.size() <= roomOffHeap()) {
                charge(slot, MemoryMode.OFF_HEAP);
            }
        } else if (!CachedValue.isDirect(root)) {
            labels.add(label);
            movable += entry.size();
            if (entry.memoryMode() == MemoryMode.OFF_HEAP) {
                returned.add(slot);
            }
        }
    }

    /** After all others: these may have made the room. */
    private void chargeReturned(long mayTake) {
        long room = Math.min(mayTake, memory.maxOnHeapStorageMemory() - memory.onHeapStorageMemoryUsed());
        for (Map.Entry<BlockId, MemoryEntry<?>> slot : returned) {
            long size = slot.getValue().size();
            if (size <= room) {
                room -= size;
                charge(slot, MemoryMode.ON_HEAP);
            } else {
                uncharged += size;
            }
        }
    }

    private long roomOffHeap() {
        return memory.maxOffHeapStorageMemory() - memory.offHeapStorageMemoryUsed();
    }

    /** In this order and with room, neither call evicts, and the slot keeps its place in the LRU order. */
    private void charge(Map.Entry<BlockId, MemoryEntry<?>> slot, MemoryMode mode) {
        MemoryEntry<?> entry = slot.getValue();
        if (memory.acquireStorageMemory(slot.getKey(), entry.size(), mode)) {
            memory.releaseStorageMemory(entry.size(), entry.memoryMode());
            slot.setValue(CachedValue.chargedTo(mode, entry));
        }
    }
}
