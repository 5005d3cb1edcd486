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

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.ztera.H2;

/** Caches an RDD, moves it to H2, has the JVM bring it back to the heap, and reads it again. */
public final class ReturnApp {
    private static final int PARTITIONS = 8;
    private static final int PER_PARTITION = 20_000;
    /** The plugin's label of an RDD is so much and the RDD's number. */
    private static final long LABELS = 1L << 40;

    private ReturnApp() {
    }

    /** Takes no argument. */
    public static void main(String[] arguments) throws JMException {
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("return"))) {
            JavaRDD<Reading> readings = Reading.rdd(spark, PARTITIONS, PER_PARTITION).persist(StorageLevel.MEMORY_ONLY());
            tell("expected", Reading.expected(PARTITIONS, PER_PARTITION));
            tell("first", Reading.checksum(readings));
            H2.moveNow(LABELS + readings.id());
            tell("moved", Facts.metric("cachedBytes"));
            giveBack(LABELS + readings.id());
            tell("second", Reading.checksum(readings));
            // Not by the gauge, which would settle the books.
            tell("offHeapStorage", Facts.offHeapStorage());
            tell("onHeapStorage", Facts.onHeapStorage());
            tell("memSize", spark.sc().getRDDStorageInfo()[0].memSize());
        }
    }

    private static void giveBack(long label) throws JMException {
        Object said = ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcH2Return",
                new Object[] {new String[] {Long.toString(label)}}, new String[] {String[].class.getName()});
        tell("said", said);
    }
}
