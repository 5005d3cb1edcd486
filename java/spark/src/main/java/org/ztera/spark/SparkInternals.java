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
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.memory.MemoryEntry;
import org.apache.spark.storage.memory.MemoryStore;
import scala.Option;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.util.Either;

/**
 * All that is not Spark's public interface and that the compiler does not check: two private fields, and a method that
 * only some versions have.
 */
final class SparkInternals {
    /** Minor versions whose memory store was read and is tested. */
    private static final List<String> SUPPORTED = List.of("4.1", "4.2", "4.3");

    private SparkInternals() {
    }

    /**
     * Refuses a version of Spark whose internals nobody has looked at.
     *
     * @throws IllegalStateException with the versions that are supported
     */
    static void checkVersion() {
        checkVersion(org.apache.spark.package$.MODULE$.SPARK_VERSION());
    }

    static void checkVersion(String version) {
        if (SUPPORTED.stream().noneMatch(minor -> version.startsWith(minor + "."))) {
            throw new IllegalStateException("ZTera: this plugin supports Spark " + String.join(", ", SUPPORTED) + ", but this is Spark "
                    + version + ". Use one of these, or remove org.ztera.spark.ZTeraPlugin from spark.plugins");
        }
    }

    /** Puts a store that knows H2 into the block manager. Blocks that the old one has are taken over. */
    static H2MemoryStore install(SparkEnv env, SparkConf conf) {
        BlockManager blocks = env.blockManager();
        MemoryStore old = blocks.memoryStore(); // Spark makes it at the first use: a later one would undo the exchange
        H2MemoryStore store = new H2MemoryStore(conf, blocks.blockInfoManager(), blocks.serializerManager(), env.memoryManager(), blocks,
                blocks.diskStore()::contains);
        synchronized (env.memoryManager()) {
            store.takeOver(entries(old));
            env.memoryManager().setMemoryStore(store);
            set(BlockManager.class, "memoryStore", blocks, store);
        }
        return store;
    }

    /** The store's blocks, least recently used first. It is also their lock. */
    @SuppressWarnings("unchecked")
    static LinkedHashMap<BlockId, MemoryEntry<?>> entries(MemoryStore store) {
        try {
            return (LinkedHashMap<BlockId, MemoryEntry<?>>) field(MemoryStore.class, "entries").get(store);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Spark's own {@code putIteratorAsBytes} of 4.3, as {@code super} would call it. It takes a checksum that the bytes
     * update.
     *
     * @param lookup that of the store
     * @return null in Spark before 4.3
     */
    static MethodHandle putWithChecksum(MethodHandles.Lookup lookup) {
        MethodType type = MethodType.methodType(Either.class, BlockId.class, Iterator.class, ClassTag.class, MemoryMode.class, Option.class);
        try {
            return lookup.findSpecial(MemoryStore.class, "putIteratorAsBytes", type, lookup.lookupClass());
        } catch (NoSuchMethodException olderSpark) {
            return null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls a method of Spark's. Scala has no checked exceptions, so any may come, and goes on as it is. */
    @SuppressWarnings("unchecked")
    static <R, E extends Throwable> R call(MethodHandle method, Object... arguments) throws E {
        try {
            return (R) method.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw (E) e;
        }
    }

    private static void set(Class<?> holder, String name, Object object, Object value) {
        try {
            field(holder, name).set(object, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field field(Class<?> holder, String name) {
        try {
            Field field = holder.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("ZTera: this build of Spark has no " + holder.getName() + "." + name
                    + "; the plugin supports Apache's own Spark " + String.join(", ", SUPPORTED), e);
        }
    }
}
