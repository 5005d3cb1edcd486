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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same jar on older versions of Spark, in local mode. {@code older/pom.xml} fetches them. */
class OlderSparkIT {
    private static final List<String> CONF = List.of("spark.master=local[2]",
            "spark.metrics.conf.*.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink");

    @ParameterizedTest
    @ValueSource(strings = {"4.1.0", "4.2.0"})
    void cachesMoreThanTheHeapHolds(String version) throws IOException {
        SparkRun run = SparkRun.older(version, CONF, "CacheApp", "MEMORY_ONLY").mustSucceed();
        assertEquals(version, run.fact("version"));
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(run.number("partitions"), run.number("cachedPartitions"));
        assertEquals(run.number("others"), run.number("othersCached"));
        assertEquals(0, run.number("evictedBytes"));
        assertTrue(run.number("memSize") > run.number("heap"), run::output);
        assertEquals(run.number("offHeapStorage"), run.number("cachedBytes"));
        assertTrue(run.number("h2UsedAfterUnpersist") < run.number("h2Used") / 10, run::output);
    }
}
