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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockInfoManager;
import org.apache.spark.storage.memory.BlockEvictionHandler;
import org.apache.spark.storage.memory.DeserializedMemoryEntry;
import org.apache.spark.storage.memory.MemoryEntry;
import org.apache.spark.storage.memory.MemoryStore;
import org.apache.spark.storage.memory.PartiallySerializedBlock;
import org.apache.spark.storage.memory.PartiallyUnrolledIterator;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.ztera.H2;
import scala.Function0;
import scala.Option;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.util.Either;

/**
 * Spark's memory store, whose blocks may live in H2.
 *
 * <p>A block is stored as ever, in H1, and tagged. It is charged to Spark's on-heap pool until it lies in H2, then to
 * the off-heap pool, which has H2's size. When Spark needs room on the heap, all tagged blocks move in one full
 * collection; Spark evicts only what H2 does not take. Where H2 holds more than the memory limit leaves it, and none of
 * it compresses, Spark evicts from H2, too.
 *
 * <p>Locks are taken as Spark takes them: the memory manager, then the entries.
 */
final class H2MemoryStore extends MemoryStore {
    /** A smaller block stays in H1: a label takes a region of H2, and most broadcasts are a task's few kilobytes. */
    private static final long MIN_BYTES = 64 << 10;
    /** Less than that is within the JVM's margin of 16 MiB and more, and not worth the pause of a collection. */
    private static final long LEAST_DUE = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(H2MemoryStore.class);

    private final MemoryManager memory;
    private final LinkedHashMap<BlockId, MemoryEntry<?>> entries;
    private final MoveGate gate = new MoveGate();
    private long moves;
    private long evicted;

    H2MemoryStore(SparkConf conf, BlockInfoManager infos, SerializerManager serializers, MemoryManager memory,
            BlockEvictionHandler handler) {
        super(conf, infos, serializers, memory, handler);
        this.memory = memory;
        this.entries = SparkInternals.entries(this);
    }

    /** Adds what another store of the same memory manager holds. */
    void takeOver(Map<BlockId, MemoryEntry<?>> others) {
        synchronized (others) {
            synchronized (entries) {
                entries.putAll(others);
            }
        }
        others.keySet().forEach(this::tag);
    }

    /** Bytes for the storage level OFF_HEAP go on the heap, too: only from there can they move to H2. */
    @Override
    public <T> boolean putBytes(BlockId block, long size, MemoryMode mode, Function0<ChunkedByteBuffer> bytes, ClassTag<T> type) {
        evictWhatIsDue();
        boolean stored = super.putBytes(block, size, MemoryMode.ON_HEAP, () -> CachedValue.onHeap(bytes.apply()), type);
        if (stored) {
            tag(block);
        }
        return stored;
    }

    @Override
    public <T> Either<PartiallyUnrolledIterator<T>, Object> putIteratorAsValues(BlockId block, Iterator<T> values, MemoryMode mode,
            ClassTag<T> type) {
        evictWhatIsDue();
        Either<PartiallyUnrolledIterator<T>, Object> result = super.putIteratorAsValues(block, values, mode, type);
        if (result.isRight()) {
            tag(block);
        }
        return result;
    }

    /** On the heap, as with {@link #putBytes}. */
    @Override
    public <T> Either<PartiallySerializedBlock<T>, Object> putIteratorAsBytes(BlockId block, Iterator<T> values, ClassTag<T> type,
            MemoryMode mode) {
        evictWhatIsDue();
        Either<PartiallySerializedBlock<T>, Object> result = super.putIteratorAsBytes(block, values, type, MemoryMode.ON_HEAP);
        if (result.isRight()) {
            tag(block);
        }
        return result;
    }

    private void tag(BlockId block) {
        MemoryEntry<?> entry;
        synchronized (entries) {
            entry = entries.get(block);
        }
        long label = Labels.of(block);
        if (entry == null || label == Labels.NONE || entry.size() < MIN_BYTES) {
            return;
        }
        if (CachedValue.hasCloseable(entry)) {
            synchronized (entries) {
                entries.replace(block, entry, new CachedValue.Closeable<>((DeserializedMemoryEntry<?>) entry));
            }
            return;
        }
        Object root = CachedValue.root(entry);
        if (!CachedValue.isDirect(root)) {
            H2.tag(root, label);
        }
    }

    /**
     * Forgets an entry. Its regions in H2 die at the next full collection. Spark's own way would read every element.
     */
    @Override
    public <T extends MemoryEntry<?>> void freeMemoryEntry(T entry) {
        if (!H2.contains(CachedValue.root(entry))) {
            super.freeMemoryEntry(entry);
        }
    }

    @Override
    public long evictBlocksToFreeSpace(Option<BlockId> block, long space, MemoryMode mode) {
        synchronized (memory) {
            long freed = mode == MemoryMode.ON_HEAP ? makeRoomByMoving(space) : 0;
            if (freed < space) {
                long fallback = super.evictBlocksToFreeSpace(block, space - freed, mode);
                evicted += fallback;
                freed += fallback;
            }
            return freed;
        }
    }

    private long makeRoomByMoving(long space) {
        long before = memory.onHeapStorageMemoryUsed();
        Books books = settle();
        if (before - memory.onHeapStorageMemoryUsed() < space && gate.isOpen(view(books))) {
            moves++;
            moveAll(books.labels);
            Books after = settle();
            gate.moved(view(books), view(after));
            evictWhatIsDue();
        }
        return Math.max(0, before - memory.onHeapStorageMemoryUsed());
    }

    /**
     * Evicts what H2 has to give up before H1 grows: see {@link H2.Stats#dueBytes}. A collection then gives the memory
     * back, since H1 may be full before the next one.
     */
    void evictWhatIsDue() {
        if (H2.stats().dueBytes() < LEAST_DUE) {
            return;
        }
        synchronized (memory) {
            settle();
            // Some more, or the next task may find as little due again.
            long due = H2.stats().dueBytes();
            long freed = due < LEAST_DUE ? 0 : evictFromH2(due + LEAST_DUE);
            if (freed > 0) {
                System.gc();
                gate.refuse(view(settle()));
                LOG.info("ZTera: H2 held {} MiB that do not compress, and that the memory limit has no room for beside a full heap. "
                        + "Spark evicted {} MiB of it", due >> 20, freed >> 20);
            }
        }
    }

    /** Spark evicts as much as it is asked for or nothing, and no block that a task reads just now. */
    private long evictFromH2(long wanted) {
        long freed = 0;
        for (long space = Math.min(wanted, memory.offHeapStorageMemoryUsed()); freed == 0 && space >= MIN_BYTES; space /= 2) {
            freed = super.evictBlocksToFreeSpace(Option.empty(), space, MemoryMode.OFF_HEAP);
        }
        evicted += freed;
        return freed;
    }

    /** One full collection for all of them. */
    private static void moveAll(Set<Long> labels) {
        long last = Labels.NONE;
        for (long label : labels) {
            H2.move(label);
            last = label;
        }
        H2.moveNow(last);
    }

    private MoveGate.View view(Books books) {
        return new MoveGate.View(books.movable, memory.offHeapStorageMemoryUsed(), H2.stats().regionsFreed(), evicted,
                memory.maxOnHeapStorageMemory());
    }

    /** Blocks that settling found in H1 still. */
    private static final class Books {
        private final Set<Long> labels = new TreeSet<>();
        private long movable;
    }

    /**
     * Charges each block to the pool of the heap that it is in now. The JVM moves blocks by itself, too, in both
     * directions.
     */
    private Books settle() {
        Books books = new Books();
        synchronized (memory) {
            synchronized (entries) {
                for (Map.Entry<BlockId, MemoryEntry<?>> slot : entries.entrySet()) {
                    settle(slot, books);
                }
            }
        }
        return books;
    }

    private void settle(Map.Entry<BlockId, MemoryEntry<?>> slot, Books books) {
        MemoryEntry<?> entry = slot.getValue();
        Object root = CachedValue.root(entry);
        long label = Labels.of(slot.getKey());
        if (root == null || label == Labels.NONE || entry.size() < MIN_BYTES) {
            return;
        }
        boolean inH2 = H2.contains(root);
        if (!inH2 && CachedValue.isDirect(root)) {
            return;
        }
        MemoryMode mode = inH2 ? MemoryMode.OFF_HEAP : MemoryMode.ON_HEAP;
        if (entry.memoryMode() != mode && hasRoom(mode, entry.size())) {
            // In this order and with room, neither call evicts, and the slot keeps its place in the LRU order.
            memory.acquireStorageMemory(slot.getKey(), entry.size(), mode);
            memory.releaseStorageMemory(entry.size(), entry.memoryMode());
            slot.setValue(CachedValue.chargedTo(mode, entry));
        }
        if (!inH2) {
            books.labels.add(label);
            books.movable += entry.size();
        }
    }

    private boolean hasRoom(MemoryMode mode, long size) {
        return size <= (mode == MemoryMode.ON_HEAP
                ? memory.maxOnHeapStorageMemory() - memory.onHeapStorageMemoryUsed()
                : memory.maxOffHeapStorageMemory() - memory.offHeapStorageMemoryUsed());
    }

    /** Bytes of blocks in H2, by Spark's estimate of their size. */
    long bytesInH2() {
        synchronized (memory) {
            settle();
            return memory.offHeapStorageMemoryUsed();
        }
    }

    /** How many full collections were asked for to make room. */
    long moves() {
        synchronized (memory) {
            return moves;
        }
    }

    /** Bytes that Spark evicted because H2 had no room for them, or had to give them up. */
    long bytesEvicted() {
        synchronized (memory) {
            return evicted;
        }
    }
}
