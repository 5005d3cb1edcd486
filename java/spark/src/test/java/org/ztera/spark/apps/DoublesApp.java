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
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.ztera.H2;

/** Caches doubles that do not compress, and reads them again while the program holds much of the heap. */
public final class DoublesApp {
    private static final int PARTITIONS = 25;
    private static final int ROWS = 10_000;
    private static final int COLUMNS = 100;
    private static final int OWN_MIB = 90;

    private DoublesApp() {
    }

    /** Takes nothing. */
    public static void main(String[] arguments) throws IOException {
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("doubles"))) {
            List<Integer> seeds = IntStream.range(0, PARTITIONS).boxed().toList();
            JavaRDD<double[]> rows = spark.parallelize(seeds, PARTITIONS).flatMap(DoublesApp::rows).persist(StorageLevel.MEMORY_AND_DISK());
            tell("expected", expected());
            tell("first", checksum(rows));
            byte[][] own = new byte[OWN_MIB][1 << 20];
            tell("second", checksum(rows));
            // Spark gives up what became due during the last tasks as the next ones start.
            for (int i = 0; i < 8 && H2.stats().dueBytes() >= 16 << 20; i++) {
                spark.parallelize(List.of(i)).count();
            }
            tell("own", own.length);
            tell("cachedPartitions", spark.sc().getRDDStorageInfo()[0].numCachedPartitions());
            tell("partitions", PARTITIONS);
            tell("evictedBytes", Facts.metric("evictedBytes"));
            tell("h2Used", H2.stats().usedBytes());
            tell("due", H2.stats().dueBytes());
            tell("peak", status("VmHWM") - status("RssFile"));
        }
    }

    private static Iterator<double[]> rows(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, ROWS).mapToObj(row -> random.doubles(COLUMNS).toArray()).iterator();
    }

    private static long checksum(JavaRDD<double[]> rows) {
        return rows.map(DoublesApp::bits).reduce(Long::sum);
    }

    private static long bits(double[] row) {
        long sum = 0;
        for (double value : row) {
            sum += Double.doubleToRawLongBits(value);
        }
        return sum;
    }

    private static long expected() {
        long sum = 0;
        for (int seed = 0; seed < PARTITIONS; seed++) {
            for (Iterator<double[]> rows = rows(seed); rows.hasNext();) {
                sum += bits(rows.next());
            }
        }
        return sum;
    }

    /** Bytes. The kernel can drop those of files. */
    private static long status(String name) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream().filter(text -> text.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }
}
