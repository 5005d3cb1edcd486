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

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.function.Supplier;
import org.ztera.H2;

/**
 * Gauges in Spark's own registry. Its sinks show them as
 * {@code <app>.<executor>.plugin.org.ztera.spark.ZTeraPlugin.<name>}.
 */
final class Metrics {
    private Metrics() {
    }

    static void register(MetricRegistry registry, H2MemoryStore store) {
        gauge(registry, "cachedBytes", store::bytesInH2);
        gauge(registry, "moves", store::moves);
        gauge(registry, "evictedBytes", store::bytesEvicted);
        gauge(registry, "capacityBytes", () -> H2.stats().capacityBytes());
        gauge(registry, "usedBytes", () -> H2.stats().usedBytes());
        gauge(registry, "residentBytes", () -> H2.stats().residentBytes());
        gauge(registry, "memUsedTotal", () -> H2.stats().memUsedTotal());
        gauge(registry, "compressionRatio", () -> H2.stats().compressionRatio());
        gauge(registry, "dueBytes", () -> H2.stats().dueBytes());
        gauge(registry, "faultCount", () -> H2.stats().faultCount());
        gauge(registry, "ssdUsed", () -> H2.stats().ssdUsed());
        gauge(registry, "ssdReadBytes", () -> H2.stats().ssdReadBytes());
        gauge(registry, "ssdWriteBytes", () -> H2.stats().ssdWriteBytes());
    }

    private static void gauge(MetricRegistry registry, String name, Supplier<Number> value) {
        registry.register(name, (Gauge<Number>) value::get);
    }
}
