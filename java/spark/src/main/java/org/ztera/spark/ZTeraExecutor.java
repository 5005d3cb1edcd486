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
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.ztera.H2;

/** The executor's half: a memory store that knows H2 takes the place of Spark's, before the first task. */
final class ZTeraExecutor implements ExecutorPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(ZTeraExecutor.class);

    private H2MemoryStore store;

    @Override
    public void init(PluginContext context, Map<String, String> extraConf) {
        try {
            SparkInternals.checkVersion();
            Remedy.requireH2(context.conf(), "spark.executor.extraJavaOptions");
        } catch (IllegalStateException e) {
            tellDriver(context, e);
            throw e;
        }
        warnOfSmallBooks(context);
        store = SparkInternals.install(SparkEnv.get(), context.conf());
        Metrics.register(context.metricRegistry(), store);
    }

    /** A task that only reads caches nothing, yet H1 may grow while it runs. */
    @Override
    public void onTaskStart() {
        store.catchUp();
    }

    private static void tellDriver(PluginContext context, IllegalStateException reason) {
        try {
            // Asked, not sent: this process ends right after.
            context.ask("Executor " + context.executorID() + " on " + SparkEnv.get().blockManager().blockManagerId().host()
                    + " cannot start. " + reason.getMessage());
        } catch (Exception e) {
            reason.addSuppressed(e);
        }
    }

    /** The executor got another H2Size than the driver knew, for example from JAVA_TOOL_OPTIONS. */
    private static void warnOfSmallBooks(PluginContext context) {
        long booked = context.conf().getSizeAsBytes(ZTeraDriver.OFF_HEAP_SIZE, 0L);
        long capacity = H2.stats().capacityBytes();
        if (booked < capacity) {
            LOG.warn("ZTera: H2 has {} MiB, but Spark will cache at most {} MiB in it; give -XX:H2Size in "
                    + "spark.executor.extraJavaOptions, where the driver sees it", capacity >> 20, booked >> 20);
        }
    }
}
