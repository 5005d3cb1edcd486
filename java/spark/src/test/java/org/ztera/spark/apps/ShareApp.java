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

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.storage.StorageLevel;
import org.ztera.H2;

/** One executor caches so much, waits until its neighbour has done the same, reads again, and tells of its memory. */
public final class ShareApp {
    private static final int PER_PARTITION = 50_000;

    private ShareApp() {
    }

    /** Takes the number of partitions, a file to make once they are cached, and a file to wait for. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int partitions = Integer.parseInt(arguments[0]);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("share"))) {
            JavaRDD<Reading> readings = Reading.rdd(spark, partitions, PER_PARTITION).persist(StorageLevel.MEMORY_ONLY());
            tell("expected", Reading.expected(partitions, PER_PARTITION));
            tell("first", Reading.checksum(readings));
            Files.createFile(Path.of(arguments[1]));
            await(Path.of(arguments[2]));
            tell("second", Reading.checksum(readings));
            tell("memSize", spark.sc().getRDDStorageInfo()[0].memSize());
            tell("cachedPartitions", spark.sc().getRDDStorageInfo()[0].numCachedPartitions());
            tell("limit", onExecutor(spark, ignored -> limit()));
            tell("peak", onExecutor(spark, ignored -> peak()));
            tell("used", onExecutor(spark, ignored -> H2.stats().usedBytes()));
            tell("resident", onExecutor(spark, ignored -> H2.stats().residentBytes()));
        }
    }

    private static void await(Path file) throws InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(100);
        }
    }

    private static long onExecutor(JavaSparkContext spark, Function<Integer, Long> question) {
        return spark.parallelize(List.of(1), 1).map(question).first();
    }

    private static long limit() {
        return Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("H2MemoryLimit").getValue());
    }

    /** The most DRAM that this process ever had, in bytes. */
    private static long peak() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(text -> text.startsWith("VmHWM")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }
}
