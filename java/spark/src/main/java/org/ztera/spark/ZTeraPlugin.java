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

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/** {@code spark.plugins=org.ztera.spark.ZTeraPlugin}: what Spark caches lives in ZTera's second heap. */
public final class ZTeraPlugin implements SparkPlugin {
    /** Spark makes the plugin by reflection. */
    public ZTeraPlugin() {
    }

    @Override
    public DriverPlugin driverPlugin() {
        return new ZTeraDriver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ZTeraExecutor();
    }
}
