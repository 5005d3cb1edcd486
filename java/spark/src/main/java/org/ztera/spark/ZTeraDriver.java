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

import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.ztera.H2;

/**
 * The driver's half: gives executors their H2, and Spark's off-heap storage pool the size of H2.
 *
 * <p>It runs before Spark starts an executor and before it makes the driver's memory manager, so both see what it sets.
 * {@code spark.memory.offHeap.enabled} stays false: Spark's execution memory remains on the heap, and no container is
 * asked to be larger.
 */
final class ZTeraDriver implements DriverPlugin {
    static final String OFF_HEAP_SIZE = "spark.memory.offHeap.size";

    private static final Logger LOG = LoggerFactory.getLogger(ZTeraDriver.class);
    private static final String OFF_HEAP_ENABLED = "spark.memory.offHeap.enabled";
    private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";
    private static final String OVERHEAD = "spark.executor.memoryOverhead";

    private SparkContext spark;

    @Override
    public Map<String, String> init(SparkContext context, PluginContext plugin) {
        spark = context;
        SparkConf conf = context.conf();
        SparkInternals.checkVersion();
        if (conf.getBoolean(OFF_HEAP_ENABLED, false)) {
            throw new IllegalStateException("ZTera: " + OFF_HEAP_ENABLED + "=true would take Spark's execution memory from what "
                    + "H2 holds. Remove that setting, and " + OFF_HEAP_SIZE + ": the plugin sets it.");
        }
        long capacity = context.isLocal() ? ownCapacity(conf) : executorCapacity(conf, context.master());
        conf.set(OFF_HEAP_SIZE, capacity + "b");
        LOG.info("ZTera: Spark may cache {} MiB in each executor's second heap", capacity >> 20);
        return Map.of();
    }

    /** In local mode the driver is the executor. */
    private static long ownCapacity(SparkConf conf) {
        Remedy.requireH2(conf, "spark.driver.extraJavaOptions");
        return H2.stats().capacityBytes();
    }

    private static long executorCapacity(SparkConf conf, String master) {
        long heap = conf.getSizeAsMb("spark.executor.memory", "1g") << 20;
        String given = conf.get(EXECUTOR_OPTIONS, "");
        String options = Sizing.executorOptions(given, heap, processLimit(conf, master, heap));
        if (!options.equals(given)) {
            conf.set(EXECUTOR_OPTIONS, options);
            LOG.info("ZTera: {}={}", EXECUTOR_OPTIONS, options);
        }
        return Sizing.h2Size(options).orElseThrow();
    }

    /**
     * Memory that an executor may use in all where nothing else enforces it: a standalone worker has no containers.
     * Without an overhead that the user gave, the JVM goes by the machine.
     */
    private static OptionalLong processLimit(SparkConf conf, String master, long heap) {
        boolean noContainer = master.startsWith("spark://") || master.startsWith("local-cluster");
        if (!noContainer || !conf.contains(OVERHEAD)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(heap + (conf.getSizeAsMb(OVERHEAD, "0m") << 20));
    }

    /** An executor cannot start: the application ends, with the reason. */
    @Override
    public Object receive(Object message) {
        LOG.error("{}", message);
        spark.stopInNewThread();
        return null;
    }
}
