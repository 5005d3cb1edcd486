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

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.apache.spark.SparkConf;
import org.ztera.H2;

/** Says what to change where this JVM has no second heap. */
final class Remedy {
    private Remedy() {
    }

    /**
     * Does nothing on a JVM with a second heap.
     *
     * @param conf Spark's configuration
     * @param setting the setting in it that gives this JVM its options
     * @throws IllegalStateException on any other JVM, with the remedy
     */
    static void requireH2(SparkConf conf, String setting) {
        if (H2.isEnabled()) {
            return;
        }
        boolean given = Sizing.h2Size(conf.get(setting, "")).isPresent();
        String option = "--conf " + setting + "=-XX:H2Size=" + (Sizing.defaultH2Size(Runtime.getRuntime().maxMemory()) >> 30) + "g";
        throw new IllegalStateException(knowsH2()
                ? "ZTera: the second heap of this JVM is off. Choose no collector but Parallel, and add " + option
                : "ZTera: this JVM has no second heap: " + System.getProperty("java.home") + " (" + System.getProperty("java.vm.version")
                        + "). Set JAVA_HOME to a ZTera JDK, here and on every worker" + (given ? "" : ", and add " + option));
    }

    private static boolean knowsH2() {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("H2Size") != null;
        } catch (IllegalArgumentException noSuchFlag) {
            return false;
        }
    }
}
