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
package org.ztera.spark.apps;

import static org.ztera.spark.apps.Facts.tell;

import java.io.IOException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.ztera.H2;

/**
 * Caches an RDD larger than the heap at the given level, reads it twice, caches another one, and unpersists both.
 */
public final class CacheApp {
    private static final int PARTITIONS = 48;
    private static final int OTHERS = 8;
    private static final int PER_PARTITION = 50_000;

    private CacheApp() {
    }

    /** Takes the name of a storage level. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("cache"))) {
            JavaRDD<Reading> readings = Reading.rdd(spark, PARTITIONS, PER_PARTITION).persist(StorageLevel.fromString(arguments[0]));
            tell("version", spark.version());
            tell("expected", Reading.expected(PARTITIONS, PER_PARTITION));
            tell("first", Reading.checksum(readings));
            tell("second", Reading.checksum(readings));
            tellStorage(spark);
            if (spark.sc().uiWebUrl().isDefined()) {
                tellTab(spark);
            }
            evictions(spark);
            readings.unpersist(true);
            tell("poolsAfterUnpersist", Facts.onHeapStorage() + Facts.offHeapStorage());
            System.gc();
            tell("h2UsedAfterUnpersist", H2.stats().usedBytes());
        }
    }

    /** Another RDD wants room: Spark never evicts blocks for the sake of their own RDD. */
    private static void evictions(JavaSparkContext spark) {
        JavaRDD<Reading> others = Reading.rdd(spark, OTHERS, PER_PARTITION).persist(StorageLevel.MEMORY_ONLY());
        tell("others", OTHERS);
        tell("othersExpected", Reading.expected(OTHERS, PER_PARTITION));
        tell("othersFirst", Reading.checksum(others));
        for (RDDInfo info : spark.sc().getRDDStorageInfo()) {
            if (info.id() == others.id()) {
                tell("othersCached", info.numCachedPartitions());
            }
        }
        tell("moves", Facts.metric("moves"));
        tell("evictedBytes", Facts.metric("evictedBytes"));
        others.unpersist(true);
    }

    private static void tellTab(JavaSparkContext spark) throws IOException, InterruptedException {
        StorageTab tab = new StorageTab(spark);
        tell("tab.memoryUsed", tab.memoryUsed(spark.sc().getRDDStorageInfo()[0].memSize()));
        tell("tab.diskUsed", tab.diskUsed());
        tell("tab.executorsUse", tab.executorsUse());
        tell("tab.executorsMayUse", tab.executorsMayUse());
        tell("spark.memUsedMb", Facts.gauge("BlockManager.memory.memUsed_MB"));
        tell("h2Capacity", H2.stats().capacityBytes());
        tell("heapStorage", SparkEnv.get().memoryManager().maxOnHeapStorageMemory());
    }

    private static void tellStorage(JavaSparkContext spark) {
        RDDInfo info = spark.sc().getRDDStorageInfo()[0];
        tell("partitions", PARTITIONS);
        tell("cachedPartitions", info.numCachedPartitions());
        tell("memSize", info.memSize());
        tell("diskSize", info.diskSize());
        tell("heap", Runtime.getRuntime().maxMemory());
        tell("h2Used", H2.stats().usedBytes());
        tell("cachedBytes", Facts.metric("cachedBytes"));
        tell("onHeapStorage", Facts.onHeapStorage());
        tell("offHeapStorage", Facts.offHeapStorage());
    }
}
