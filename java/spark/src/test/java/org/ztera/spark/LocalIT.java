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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Local mode: the driver's JVM is the executor. The heap's storage pool has about 127 MiB, the data more than the heap.
 */
class LocalIT {
    private static final String HEAP = "spark.driver.memory=512m";
    private static final String JMX = "spark.metrics.conf.*.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink";

    /** With the H2 that the JVM makes by itself. */
    private static SparkRun run(String name, String program, String... arguments) {
        return run(name, List.of(), program, arguments);
    }

    private static SparkRun run(String name, List<String> options, String program, String... arguments) {
        return SparkRun.submit(name, SparkRun.ZTERA, "local[2]", program,
                List.of(HEAP, JMX, "spark.ui.enabled=true", "spark.ui.port=0",
                        "spark.driver.extraJavaOptions=-Xlog:gc*,gc+h2*:file=gc.log " + String.join(" ", options)), arguments)
                .mustSucceed();
    }

    @Test
    void cachesMoreThanTheHeapHolds() {
        SparkRun run = run("local", "CacheApp", "MEMORY_ONLY");
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(run.number("partitions"), run.number("cachedPartitions"), "Spark evicted while H2 had room");
        assertEquals(0, run.number("diskSize"));
        assertEquals(run.fact("othersExpected"), run.fact("othersFirst"));
        assertEquals(run.number("others"), run.number("othersCached"), "Spark cached nothing more while H2 had room");
        assertEquals(0, run.number("evictedBytes"));
        assertTrue(run.number("memSize") > run.number("heap"), run::output);
        assertTrue(run.number("h2Used") > run.number("memSize") / 2, run::output);
        assertEquals(4L << 30, run.number("h2Capacity"), run::output);
        assertTrue(run.number("moves") > 0, run::output);
        // Spark's books: all that is cached is in one of the two pools.
        long pools = run.number("onHeapStorage") + run.number("offHeapStorage");
        assertTrue(pools >= run.number("memSize") && pools < run.number("memSize") + (8 << 20), run::output);
        assertEquals(run.number("offHeapStorage"), run.number("cachedBytes"), "the metric agrees");
        // Spark's web interface and its own gauge tell the same.
        assertEquals(run.number("memSize"), run.number("tab.memoryUsed"));
        assertEquals(0, run.number("tab.diskUsed"));
        long broadcasts = run.number("tab.executorsUse") - run.number("memSize");
        assertTrue(broadcasts >= 0 && broadcasts < 8 << 20, run::output);
        assertEquals(run.number("tab.executorsUse") >> 20, run.number("spark.memUsedMb"));
        assertEquals(run.number("heapStorage") + run.number("h2Capacity"), run.number("tab.executorsMayUse"));
        // Unpersisting gives back Spark's memory at once, H2's at the next full collection.
        assertTrue(run.number("poolsAfterUnpersist") < 8 << 20, run::output);
        assertTrue(run.number("h2UsedAfterUnpersist") < run.number("h2Used") / 10, run::output);
    }

    @Test
    void keepsDatasetsBroadcastsAndSerialisedBlocks() {
        SparkRun run = run("kinds", "KindsApp");
        for (String kind : List.of("dataset", "broadcast", "serialised", "offHeap")) {
            assertEquals(run.fact(kind + ".expected"), run.fact(kind + ".first"), kind);
            assertEquals(run.fact(kind + ".expected"), run.fact(kind + ".second"), kind);
            assertTrue(run.number(kind + ".moved") > 16 << 20, () -> kind + " is not in H2\n" + run.output());
        }
        assertTrue(run.number("h2UsedAtEnd") < 16 << 20, run::output);
    }

    @Test
    void keepsGraphs() {
        SparkRun run = run("graph", "GraphApp");
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(0, run.number("evictedBytes"));
        assertTrue(run.number("cachedBytes") > run.number("memSize") / 2, () -> "most of the graph is not in H2\n" + run.output());
        assertTrue(run.number("h2Used") > run.number("cachedBytes") / 2, run::output);
        assertTrue(run.number("h2UsedAtEnd") < run.number("h2Used") / 10, run::output);
    }

    @Test
    void fallsBackToSparksEvictionWhenH2IsFull() {
        SparkRun run = evictsToDisk("full", "MEMORY_AND_DISK");
        assertEquals(run.number("partitions"), run.number("cachedPartitions"));
    }

    /** H2 is far too small. */
    private static SparkRun evictsToDisk(String name, String level) {
        SparkRun run = run(name, List.of("-XX:H2Size=64m"), "CacheApp", level);
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(run.fact("othersExpected"), run.fact("othersFirst"));
        assertTrue(run.number("evictedBytes") > 0 && run.number("diskSize") > 0, run::output);
        assertTrue(run.number("h2Used") > 0, run::output);
        return run;
    }

    /** Spark reads such blocks back from disk to memory outside of the heap. */
    @Test
    void readsBlocksOfTheLevelOffHeapBackFromDisk() {
        evictsToDisk("off-heap", "OFF_HEAP");
    }

    /** The next task finds them in Spark's books. */
    @Test
    void blocksThatComeBackAreChargedToTheHeap() {
        SparkRun run = run("return", "ReturnApp");
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(run.number("memSize"), run.number("moved"), run::output);
        assertEquals(0, run.number("offHeapStorage"), run::output);
        assertTrue(run.number("onHeapStorage") >= run.number("memSize"), run::output);
    }

    /**
     * Doubles that do not compress took the memory that the heap did not need yet. When it grew, the kernel killed the
     * executor, or allocations failed, since nothing could give way.
     */
    @Test
    void evictsDataThatDoNotCompressBeforeTheHeapGrows() {
        long limit = 576L << 20;
        SparkRun run = SparkRun.submit("doubles", SparkRun.ZTERA, "local[2]", "DoublesApp",
                List.of("spark.driver.memory=320m", JMX, "spark.testing.reservedMemory=104857600", "spark.memory.fraction=0.3",
                        "spark.driver.extraJavaOptions=-XX:H2Size=4g -XX:H2MemoryLimit=" + limit + " -Xlog:gc*,gc+h2*:file=gc.log"))
                .mustSucceed();
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(run.number("partitions"), run.number("cachedPartitions"));
        assertTrue(run.number("evictedBytes") > 0 && run.number("h2Used") > 0, run::output);
        assertTrue(run.number("due") < 16 << 20, run::output);
        assertTrue(run.number("peak") <= limit, run::output);
    }

    @Test
    void saysWhatIsMissing() {
        SparkRun stock = SparkRun.submit("stock", SparkRun.STOCK, "local[1]", "CacheApp", List.of(HEAP), "MEMORY_ONLY");
        assertTrue(stock.status() != 0, stock::output);
        assertTrue(stock.output().contains("Set JAVA_HOME to a ZTera JDK"), stock::output);
        SparkRun off = SparkRun.submit("off", SparkRun.ZTERA, "local[1]", "CacheApp",
                List.of(HEAP, "spark.driver.extraJavaOptions=-XX:+UseSerialGC"), "MEMORY_ONLY");
        assertTrue(off.status() != 0, off::output);
        assertTrue(off.output().contains("Choose no collector but Parallel, and add --conf spark.driver.extraJavaOptions=-XX:H2Size="), off::output);
    }
}
