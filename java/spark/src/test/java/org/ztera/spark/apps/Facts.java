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

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.spark.SparkEnv;

/** Facts that a program tells its test. */
final class Facts {
    private Facts() {
    }

    static void tell(String name, Object value) {
        System.out.println("fact " + name + "=" + value);
    }

    /** A gauge of the plugin. */
    static long metric(String name) {
        return gauge("plugin.org.ztera.spark.ZTeraPlugin." + name);
    }

    /** A gauge of Spark's metrics, read through its JMX sink. */
    static long gauge(String name) {
        try {
            var beans = ManagementFactory.getPlatformMBeanServer();
            var found = beans.queryNames(new ObjectName("metrics:name=*" + name + ",*"), null);
            return ((Number) beans.getAttribute(found.iterator().next(), "Value")).longValue();
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    static long onHeapStorage() {
        return SparkEnv.get().memoryManager().onHeapStorageMemoryUsed();
    }

    static long offHeapStorage() {
        return SparkEnv.get().memoryManager().offHeapStorageMemoryUsed();
    }
}
