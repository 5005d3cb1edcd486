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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

/** Two executors cache more than their heaps' storage pools hold; one of them is killed in the middle of a job. */
public final class KillApp {
    private static final int PARTITIONS = 24;
    private static final int PER_PARTITION = 50_000;
    private static final int EXECUTORS = 2;

    private KillApp() {
    }

    /** Takes the victim: {@code executor}, or {@code worker} for an executor and the worker that started it. */
    public static void main(String[] arguments) throws IOException {
        boolean withWorker = arguments[0].equals("worker");
        Path mark = Path.of("killed").toAbsolutePath();
        Files.deleteIfExists(mark);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("kill"))) {
            JavaRDD<Reading> readings = Reading.rdd(spark, PARTITIONS, PER_PARTITION).persist(StorageLevel.MEMORY_ONLY());
            awaitExecutors(spark);
            tell("expected", Reading.expected(PARTITIONS, PER_PARTITION));
            tell("before", Reading.checksum(readings));
            tell("executorsBefore", executors(spark));
            tell("memSize", spark.sc().getRDDStorageInfo()[0].memSize());
            tell("storageOfTwoHeaps", EXECUTORS * onExecutor(spark, KillApp::heapStorage));
            tell("partitionsInH2", onExecutor(spark, KillApp::offHeapStorage));
            String path = mark.toString();
            tell("during", Reading.checksum(readings.mapPartitions(partition -> killOnce(partition, path, withWorker))));
            tell("killed", Files.exists(mark));
            tell("after", Reading.checksum(readings));
            tell("executorsAfter", executors(spark));
        }
    }

    private static void awaitExecutors(JavaSparkContext spark) {
        while (executors(spark) < EXECUTORS && !spark.sc().isStopped()) {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** All but the driver. */
    private static int executors(JavaSparkContext spark) {
        return spark.sc().statusTracker().getExecutorInfos().length - 1;
    }

    private interface Question extends org.apache.spark.api.java.function.Function<Integer, Long> {
    }

    private static long onExecutor(JavaSparkContext spark, Question question) {
        return spark.parallelize(List.of(1), 1).map(question).first();
    }

    private static long heapStorage(int ignored) {
        return SparkEnv.get().memoryManager().maxOnHeapStorageMemory();
    }

    private static long offHeapStorage(int ignored) {
        return SparkEnv.get().memoryManager().offHeapStorageMemoryUsed();
    }

    /** In the middle of the job, the first time, the executor's process is killed. */
    private static Iterator<Reading> killOnce(Iterator<Reading> partition, String mark, boolean withWorker)
            throws IOException, InterruptedException {
        if (TaskContext.getPartitionId() == PARTITIONS / 2 && !Files.exists(Path.of(mark))) {
            Files.createFile(Path.of(mark));
            ProcessHandle self = ProcessHandle.current();
            if (withWorker) {
                self.parent().orElseThrow().destroyForcibly();
            }
            new ProcessBuilder("kill", "-KILL", Long.toString(self.pid())).start().waitFor();
            Thread.sleep(Long.MAX_VALUE);
        }
        return partition;
    }
}
