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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.zip.Checksum;
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
 * it compresses, Spark evicts from H2, too. The JVM may bring blocks back to H1; others make room for them there.
 *
 * <p>Locks are taken as Spark takes them: the memory manager, then the entries.
 */
final class H2MemoryStore extends MemoryStore {
    /** Less than that is within the JVM's margin of 16 MiB and more, and not worth the pause of a collection. */
    private static final long LEAST_DUE = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(H2MemoryStore.class);
    private static final MethodHandle PUT_WITH_CHECKSUM = SparkInternals.putWithChecksum(MethodHandles.lookup());

    private final MemoryManager memory;
    private final LinkedHashMap<BlockId, MemoryEntry<?>> entries;
    private final Predicate<BlockId> onDisk;
    private final MoveGate gate = new MoveGate();
    /** {@link H2.Stats#regionsFreed} when {@link #catchUp} last settled all books; -1 = it has to. */
    private volatile long regionsFreed;
    private long moves;
    private long evicted;

    /** Like Spark's own, with a question more: whether a block is on this executor's disk. */
    H2MemoryStore(SparkConf conf, BlockInfoManager infos, SerializerManager serializers, MemoryManager memory,
            BlockEvictionHandler handler, Predicate<BlockId> onDisk) {
        super(conf, infos, serializers, memory, handler);
        this.memory = memory;
        this.entries = SparkInternals.entries(this);
        this.onDisk = onDisk;
    }

    /** Adds what another store of the same memory manager holds. */
    void takeOver(Map<BlockId, MemoryEntry<?>> others) {
        synchronized (others) {
            synchronized (entries) {
                entries.putAll(others);
            }
        }
        others.keySet().forEach(this::tag);
        regionsFreed = -1;
    }

    /** Bytes for the storage level OFF_HEAP go on the heap, too: only from there can they move to H2. */
    @Override
    public <T> boolean putBytes(BlockId block, long size, MemoryMode mode, Function0<ChunkedByteBuffer> bytes, ClassTag<T> type) {
        catchUp();
        boolean stored = super.putBytes(block, size, MemoryMode.ON_HEAP, () -> onHeap(block, mode, bytes.apply()), type);
        if (stored) {
            tag(block);
        }
        return stored;
    }

    /** A block that is on disk was read from there for this store alone. Other bytes may be in use elsewhere. */
    private ChunkedByteBuffer onHeap(BlockId block, MemoryMode mode, ChunkedByteBuffer bytes) {
        ChunkedByteBuffer result = CachedValue.onHeap(bytes);
        if (mode == MemoryMode.OFF_HEAP && result != bytes && onDisk.test(block)) {
            bytes.dispose();
        }
        return result;
    }

    @Override
    public <T> Either<PartiallyUnrolledIterator<T>, Object> putIteratorAsValues(BlockId block, Iterator<T> values, MemoryMode mode,
            ClassTag<T> type) {
        return tagged(block, () -> super.putIteratorAsValues(block, values, mode, type));
    }

    /** On the heap, as with {@link #putBytes}. */
    @Override
    public <T> Either<PartiallySerializedBlock<T>, Object> putIteratorAsBytes(BlockId block, Iterator<T> values, ClassTag<T> type,
            MemoryMode mode) {
        return tagged(block, () -> super.putIteratorAsBytes(block, values, type, MemoryMode.ON_HEAP));
    }

    /**
     * Spark 4.3 calls this in place of the one above. It overrides a method that Spark 4.2 lacks, on which this is
     * compiled.
     */
    public <T> Either<PartiallySerializedBlock<T>, Object> putIteratorAsBytes(BlockId block, Iterator<T> values, ClassTag<T> type,
            MemoryMode mode, Option<Checksum> checksum) {
        return tagged(block, () -> SparkInternals.call(PUT_WITH_CHECKSUM, this, block, values, type, MemoryMode.ON_HEAP, checksum));
    }

    private <T> Either<T, Object> tagged(BlockId block, Supplier<Either<T, Object>> put) {
        catchUp();
        Either<T, Object> result = put.get();
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
        long label = entry == null ? Labels.NONE : Labels.of(block, entry);
        if (label == Labels.NONE) {
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
            return mode == MemoryMode.ON_HEAP ? makeRoom(block, space) : evict(block, space, mode);
        }
    }

    /**
     * Blocks that came back to H1 need room, too. They are charged at the end, and only where more was freed than Spark
     * asks for: Spark counts on all that is free in the pool.
     */
    private long makeRoom(Option<BlockId> block, long space) {
        long before = memory.onHeapStorageMemoryUsed();
        Books books = settle(0);
        if (missing(space, before, books) > 0 && gate.isOpen(view(books))) {
            books = moveAll(books);
        }
        long missing = missing(space, before, books);
        if (missing > 0 && evict(block, missing, MemoryMode.ON_HEAP) == 0 && missing > books.uncharged()) {
            // Spark evicts as much as it is asked for or nothing. Its own need comes first.
            evict(block, missing - books.uncharged(), MemoryMode.ON_HEAP);
        }
        if (books.uncharged() > 0) {
            settle(before - memory.onHeapStorageMemoryUsed() - space);
        }
        return before - memory.onHeapStorageMemoryUsed();
    }

    private long missing(long space, long usedBefore, Books books) {
        return space + books.uncharged() - (usedBefore - memory.onHeapStorageMemoryUsed());
    }

    private long evict(Option<BlockId> block, long space, MemoryMode mode) {
        long freed = super.evictBlocksToFreeSpace(block, space, mode);
        evicted += freed;
        return freed;
    }

    /** One full collection for all of them. */
    private Books moveAll(Books books) {
        long last = Labels.NONE;
        for (long label : books.labels()) {
            H2.move(label);
            last = label;
        }
        moves++;
        H2.moveNow(last);
        gate.moved(view(books), view(settle(0)));
        evictWhatIsDue();
        return settle(0);
    }

    /** Follows what the JVM has done meanwhile. Called before Spark puts a block or starts a task. */
    void catchUp() {
        H2.Stats now = H2.stats();
        if (now.regionsFreed() != regionsFreed) {
            synchronized (memory) {
                // Where blocks came back, their regions died. Those without room are looked at again the next time.
                if (settle(Long.MAX_VALUE).uncharged() == 0) {
                    regionsFreed = now.regionsFreed();
                }
            }
        }
        if (now.dueBytes() >= LEAST_DUE) {
            evictWhatIsDue();
        }
    }

    /**
     * Evicts what H2 has to give up before H1 grows: see {@link H2.Stats#dueBytes}. A collection then gives the memory
     * back, since H1 may be full before the next one.
     */
    private void evictWhatIsDue() {
        synchronized (memory) {
            settle(0);
            // Some more, or the next task may find as little due again.
            long due = H2.stats().dueBytes();
            long freed = due < LEAST_DUE ? 0 : evictFromH2(due + LEAST_DUE);
            if (freed > 0) {
                System.gc();
                gate.refuse(view(settle(0)));
                LOG.info("ZTera: H2 held {} MiB that do not compress, and that the memory limit has no room for beside a full heap. "
                        + "Spark evicted {} MiB of it", due >> 20, freed >> 20);
            }
        }
    }

    /** Spark evicts as much as it is asked for or nothing, and no block that a task reads just now. */
    private long evictFromH2(long wanted) {
        long freed = 0;
        for (long space = Math.min(wanted, memory.offHeapStorageMemoryUsed()); freed == 0 && space >= Labels.MIN_BYTES; space /= 2) {
            freed = evict(Option.empty(), space, MemoryMode.OFF_HEAP);
        }
        return freed;
    }

    private MoveGate.View view(Books books) {
        return new MoveGate.View(books.movable(), memory.offHeapStorageMemoryUsed(), H2.stats().regionsFreed(), evicted,
                memory.maxOnHeapStorageMemory());
    }

    private Books settle(long mayTake) {
        return Books.settle(memory, entries, mayTake);
    }

    /** Bytes of blocks in H2, by Spark's estimate of their size. */
    long bytesInH2() {
        synchronized (memory) {
            settle(Long.MAX_VALUE);
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
