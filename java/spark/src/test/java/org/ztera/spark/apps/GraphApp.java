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

import java.math.BigDecimal;
import java.math.MathContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphXUtils;
import org.apache.spark.graphx.lib.PageRank;
import org.apache.spark.graphx.util.GraphGenerators;
import org.apache.spark.storage.RDDInfo;
import org.apache.spark.storage.StorageLevel;
import org.ztera.H2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** PageRank of GraphX on a graph that the heap's storage pool cannot hold, once from disk and twice from memory. */
public final class GraphApp {
    private static final int VERTICES = 30_000;
    private static final int PARTITIONS = 16;
    private static final int STEPS = 3;
    private static final MathContext DIGITS = new MathContext(6);
    private static final ClassTag<Object> INT = ClassTag$.MODULE$.apply(int.class);

    private GraphApp() {
    }

    /** Takes no argument. */
    public static void main(String[] arguments) {
        SparkConf conf = new SparkConf().setAppName("graph");
        GraphXUtils.registerKryoClasses(conf);
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            tell("expected", rank(graph(spark, StorageLevel.DISK_ONLY())));
            unpersist(spark);
            Graph<Object, Object> graph = graph(spark, StorageLevel.MEMORY_ONLY());
            tell("first", rank(graph));
            tell("second", rank(graph));
            tellStorage(spark);
            unpersist(spark);
            System.gc();
            tell("h2UsedAtEnd", H2.stats().usedBytes());
        }
    }

    private static Graph<Object, Object> graph(JavaSparkContext spark, StorageLevel level) {
        Graph<Object, Object> generated = GraphGenerators.logNormalGraph(spark.sc(), VERTICES, PARTITIONS, 4.0, 1.3, 1);
        generated.unpersist(true);
        Graph<Object, Object> graph = Graph.fromEdges(generated.edges(), (Object) 1, level, level, INT, INT).cache();
        tell("edges", graph.edges().count());
        return graph;
    }

    /** Six digits of the sum of squared ranks: the order of addends varies. */
    private static BigDecimal rank(Graph<Object, Object> graph) {
        double sum = PageRank.run(graph, STEPS, 0.15, INT, INT).vertices().toJavaRDD()
                .map(vertex -> (double) vertex._2() * (double) vertex._2()).reduce(Double::sum);
        return new BigDecimal(sum).round(DIGITS);
    }

    private static void tellStorage(JavaSparkContext spark) {
        long size = 0;
        for (RDDInfo info : spark.sc().getRDDStorageInfo()) {
            size += info.memSize();
        }
        tell("memSize", size);
        tell("heapStorage", Facts.onHeapStorage());
        tell("h2Used", H2.stats().usedBytes());
        tell("cachedBytes", Facts.metric("cachedBytes"));
        tell("evictedBytes", Facts.metric("evictedBytes"));
    }

    private static void unpersist(JavaSparkContext spark) {
        spark.getPersistentRDDs().values().forEach(rdd -> rdd.unpersist(true));
    }
}
