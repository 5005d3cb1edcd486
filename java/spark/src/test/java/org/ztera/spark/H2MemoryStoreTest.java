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
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockInfo;
import org.apache.spark.storage.BlockInfoManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.memory.BlockEvictionHandler;
import org.apache.spark.storage.memory.MemoryStore;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.junit.jupiter.api.Test;
import scala.Function0;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.util.Either;

/**
 * The store's books, with Spark's memory manager. This JVM has no H2. So a block in the off-heap pool is one that came
 * back to H1.
 */
class H2MemoryStoreTest {
    private static final int MIB = 1 << 20;
    private static final long POOL = 4 * MIB;
    private static final ClassTag<byte[]> BYTES = ClassTag$.MODULE$.apply(byte[].class);

    private final SparkConf conf = new SparkConf(false).set("spark.memory.offHeap.size", "64m");
    private final UnifiedMemoryManager memory = new UnifiedMemoryManager(conf, POOL, MIB, 1);
    private final BlockInfoManager infos = new BlockInfoManager(false);
    private final SerializerManager serializers = new SerializerManager(new JavaSerializer(conf), conf);
    private boolean onDisk;
    private final H2MemoryStore store = new H2MemoryStore(conf, infos, serializers, memory, new Dropping(), block -> onDisk);

    /** As with the level MEMORY_ONLY: an evicted block is gone. */
    private final class Dropping implements BlockEvictionHandler {
        @Override
        public <T> StorageLevel dropFromMemory(BlockId block, Function0<Either<Object, ChunkedByteBuffer>> data, ClassTag<T> type) {
            store.remove(block);
            return StorageLevel.NONE();
        }
    }

    H2MemoryStoreTest() {
        memory.setMemoryStore(store);
    }

    private BlockId known(int rdd, int partition) {
        BlockId block = new RDDBlockId(rdd, partition);
        assertTrue(infos.lockNewBlockForWriting(block, new BlockInfo(StorageLevel.MEMORY_ONLY_SER(), BYTES, false), true));
        infos.unlock(block, Option.empty());
        return block;
    }

    private boolean put(int rdd, int partition) {
        return put(known(rdd, partition), MemoryMode.ON_HEAP, ByteBuffer.allocate(MIB));
    }

    private boolean put(BlockId block, MemoryMode mode, ByteBuffer bytes) {
        return store.putBytes(block, bytes.remaining(), mode, () -> new ChunkedByteBuffer(bytes), BYTES);
    }

    /** So many blocks of a MiB, of RDD 1. */
    private void putPartitions(int count) {
        for (int partition = 0; partition < count; partition++) {
            assertTrue(put(1, partition));
        }
    }

    private void comesBack(int rdd) {
        MemoryStore other = new MemoryStore(conf, infos, serializers, memory, new Dropping());
        other.putBytes(known(rdd, 0), MIB, MemoryMode.OFF_HEAP, () -> new ChunkedByteBuffer(ByteBuffer.allocate(MIB)), BYTES);
        store.takeOver(SparkInternals.entries(other));
    }

    @Test
    void aBlockThatCameBackIsChargedToTheHeap() {
        comesBack(2);
        assertEquals(0, store.bytesInH2());
        assertEquals(MIB, memory.onHeapStorageMemoryUsed());
    }

    /** It kept its charge for good, and Spark had more on the heap than it knew. */
    @Test
    void othersMakeRoomForABlockThatCameBack() {
        putPartitions(4);
        comesBack(2);
        assertEquals(MIB, store.bytesInH2(), "no room yet");
        assertTrue(put(3, 0));
        assertEquals(0, store.bytesInH2());
        assertEquals(POOL, memory.onHeapStorageMemoryUsed());
        assertEquals(2 * MIB, store.bytesEvicted());
        assertTrue(store.contains(new RDDBlockId(2, 0)) && store.contains(new RDDBlockId(3, 0)));
    }

    /** The block took memory that Spark had promised to a task, and the task failed. */
    @Test
    void aBlockThatCameBackTakesNothingFromATask() {
        putPartitions(3);
        store.remove(new RDDBlockId(1, 0));
        comesBack(2);
        assertEquals(3 * MIB, memory.acquireExecutionMemory(POOL, 0, MemoryMode.ON_HEAP));
        assertEquals(MIB, memory.onHeapStorageMemoryUsed());
        assertEquals(0, store.bytesInH2());
        assertTrue(store.contains(new RDDBlockId(2, 0)));
    }

    /** Spark evicts as much as it is asked for or nothing, and room for blocks that came back was too much. */
    @Test
    void aTaskGetsMemoryThoughBlocksThatCameBackFindNone() {
        putPartitions(2);
        assertEquals(2 * MIB, memory.acquireExecutionMemory(2 * MIB, 0, MemoryMode.ON_HEAP));
        comesBack(2);
        comesBack(3);
        assertEquals(MIB, memory.acquireExecutionMemory(MIB, 0, MemoryMode.ON_HEAP));
        assertEquals(MIB, store.bytesEvicted());
    }

    /** Room may come without an eviction. */
    @Test
    void aBlockThatCameBackIsChargedOnceThereIsRoom() {
        putPartitions(4);
        comesBack(2);
        store.catchUp();
        assertEquals(POOL, memory.onHeapStorageMemoryUsed());
        assertEquals(MIB, memory.offHeapStorageMemoryUsed());
        store.remove(new RDDBlockId(1, 0));
        store.catchUp();
        assertEquals(0, memory.offHeapStorageMemoryUsed());
    }

    @Test
    void bytesOfTheLevelOffHeapGoOnTheHeap() {
        ByteBuffer direct = direct();
        assertTrue(put(known(1, 0), MemoryMode.OFF_HEAP, direct));
        assertEquals(MIB, memory.onHeapStorageMemoryUsed());
        assertEquals(0, memory.offHeapStorageMemoryUsed());
        ChunkedByteBuffer stored = store.getBytes(new RDDBlockId(1, 0)).get();
        assertFalse(CachedValue.isDirect(stored.chunks()));
        assertArrayEquals(filled(), stored.toArray());
        assertEquals(ByteBuffer.wrap(filled()), direct, "they may be in use elsewhere");
    }

    @Test
    void whatWasReadFromDiskOutsideOfTheHeapIsFreedAtOnce() {
        onDisk = true;
        ByteBuffer direct = direct();
        long before = directBytes();
        assertTrue(put(known(1, 0), MemoryMode.OFF_HEAP, direct));
        assertTrue(before - directBytes() >= MIB, "of " + before);
        assertArrayEquals(filled(), store.getBytes(new RDDBlockId(1, 0)).get().toArray());
        assertTrue(direct.isDirect(), "no collection freed it");
    }

    private static byte[] filled() {
        byte[] bytes = new byte[MIB];
        Arrays.fill(bytes, (byte) 7);
        return bytes;
    }

    private static ByteBuffer direct() {
        return ByteBuffer.allocateDirect(MIB).put(filled()).flip();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream().filter(pool -> pool.getName().equals("direct")).findFirst()
                .orElseThrow().getMemoryUsed();
    }
}
