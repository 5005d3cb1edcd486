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

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** A record of some 250 bytes in four objects, and data sets of them whose checksum is known without Spark. */
final class Reading implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int VALUES = 16;

    private final long id;
    private final String name;
    private final double[] values;

    private Reading(long id) {
        this.id = id;
        this.name = "reading " + id % 1000;
        this.values = new double[VALUES];
        for (int i = 0; i < VALUES; i++) {
            values[i] = (id * 31 + i) % 1024;
        }
    }

    /** Depends on every field. */
    long checksum() {
        long sum = id * 31 + name.hashCode();
        for (double value : values) {
            sum = sum * 31 + (long) value;
        }
        return sum;
    }

    static JavaRDD<Reading> rdd(JavaSparkContext spark, int partitions, int perPartition) {
        List<Integer> seeds = IntStream.range(0, partitions).boxed().toList();
        return spark.parallelize(seeds, partitions).flatMap(partition -> readings(partition, perPartition));
    }

    /** One at a time: a partition exists once, where Spark collects it. */
    private static Iterator<Reading> readings(int partition, int count) {
        return IntStream.range(0, count).mapToObj(i -> new Reading((long) partition * count + i)).iterator();
    }

    static long checksum(JavaRDD<Reading> readings) {
        return readings.map(Reading::checksum).reduce(Long::sum);
    }

    static long expected(int partitions, int perPartition) {
        long sum = 0;
        for (long id = 0; id < (long) partitions * perPartition; id++) {
            sum += new Reading(id).checksum();
        }
        return sum;
    }
}
