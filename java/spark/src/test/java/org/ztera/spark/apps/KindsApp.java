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
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.ztera.H2;

/** Each kind of block in turn is cached, pushed to H2 by another RDD that needs the heap, read again, and dropped. */
public final class KindsApp {
    private static final int PARTITIONS = 16;
    private static final int PER_PARTITION = 20_000;
    private static final int BROADCAST = 4 << 20;

    private final JavaSparkContext context;
    private final SparkSession session;

    private KindsApp(SparkSession session) {
        this.session = session;
        this.context = new JavaSparkContext(session.sparkContext());
    }

    /** Takes no argument. */
    public static void main(String[] arguments) throws IOException {
        try (SparkSession session = SparkSession.builder().appName("kinds").getOrCreate()) {
            KindsApp app = new KindsApp(session);
            app.dataset();
            app.broadcast();
            app.bytes("serialised", StorageLevel.MEMORY_ONLY_SER());
            app.bytes("offHeap", StorageLevel.OFF_HEAP());
            System.gc();
            tell("h2UsedAtEnd", H2.stats().usedBytes());
        }
    }

    private void dataset() {
        long rows = 4_000_000;
        Dataset<Row> numbers = session.range(rows).selectExpr("id", "id / 2 AS half").cache();
        check("dataset", (rows - 1) * rows / 2, () -> (long) (2 * numbers.selectExpr("sum(half)").first().getDouble(0)));
        numbers.unpersist(true);
    }

    private void broadcast() {
        long[] values = LongStream.range(0, BROADCAST).toArray();
        long expected = Arrays.stream(values).sum();
        Broadcast<long[]> broadcast = context.broadcast(values);
        check("broadcast", expected, () -> context.parallelize(List.of(1), 1).map(one -> Arrays.stream(broadcast.value()).sum()).first());
        broadcast.destroy(true);
    }

    private void bytes(String kind, StorageLevel level) {
        JavaRDD<Reading> readings = Reading.rdd(context, PARTITIONS, PER_PARTITION).persist(level);
        check(kind, Reading.expected(PARTITIONS, PER_PARTITION), () -> Reading.checksum(readings));
        readings.unpersist(true);
    }

    private void check(String kind, long expected, LongSupplier answer) {
        long before = Facts.metric("cachedBytes");
        tell(kind + ".expected", expected);
        tell(kind + ".first", answer.getAsLong());
        needTheHeap();
        tell(kind + ".moved", Facts.metric("cachedBytes") - before);
        tell(kind + ".second", answer.getAsLong());
    }

    /** Caches as much as the heap's storage pool holds, so that Spark asks for room; and drops it. */
    private void needTheHeap() {
        JavaRDD<Reading> others = Reading.rdd(context, PARTITIONS, PER_PARTITION * 3 / 2).persist(StorageLevel.MEMORY_ONLY());
        Reading.checksum(others);
        others.unpersist(true);
    }
}
