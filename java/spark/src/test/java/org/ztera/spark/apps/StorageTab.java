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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.apache.spark.api.java.JavaSparkContext;

/** Spark's web interface: the numbers of its tabs Storage and Executors, in bytes. */
final class StorageTab {
    private static final int PATIENCE = 300;

    private final String address;

    StorageTab(JavaSparkContext spark) {
        address = spark.sc().uiWebUrl().get() + "/api/v1/applications/" + spark.sc().applicationId();
    }

    /** Of all cached RDDs. The tab lags behind, so this waits until it shows the expected sum, or gives up. */
    long memoryUsed(long expected) throws IOException, InterruptedException {
        long sum = -1;
        for (int i = 0; i < PATIENCE && sum != expected; i++) {
            Thread.sleep(100);
            sum = sum("/storage/rdd", "memoryUsed");
        }
        return sum;
    }

    long diskUsed() throws IOException {
        return sum("/storage/rdd", "diskUsed");
    }

    long executorsUse() throws IOException {
        return sum("/executors", "memoryUsed");
    }

    long executorsMayUse() throws IOException {
        return sum("/executors", "maxMemory");
    }

    private long sum(String page, String field) throws IOException {
        long sum = 0;
        try (InputStream rows = URI.create(address + page).toURL().openStream()) {
            for (JsonNode row : new ObjectMapper().readTree(rows)) {
                sum += row.get(field).asLong();
            }
        }
        return sum;
    }
}
