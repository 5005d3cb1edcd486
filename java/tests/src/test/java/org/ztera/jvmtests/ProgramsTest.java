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
package org.ztera.jvmtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Setup;

/**
 * A program that needs H2 has it without a flag. Here Spark's setting is a property; the plugin's own tests give it to
 * spark-submit.
 */
class ProgramsTest {
    @BeforeEach
    void aJvmWithH2() {
        assumeFalse(Jdk.STOCK, "a stock JVM has no H2 for any program");
    }

    private static JvmResult run(String plugins, String... flags) {
        JvmResult result = JvmRun.of(Setup.DEFAULT).withoutH2().withoutFlag("UseParallelGC").withoutFlag("UseCompressedOops")
                .flag("-Dspark.plugins=" + plugins, "-XX:+PrintFlagsFinal").flag(flags).version().run();
        assertEquals(0, result.exitCode(), result::describe);
        return result;
    }

    private static void expect(JvmResult result, long gib, String origin) {
        result.line("^\\s*size_t\\s+H2Size\\s+=\\s+" + (gib << 30) + "\\s.*\\{" + origin + "}");
    }

    /** The sizes are those that the plugin's SizingTest expects for executors. */
    @ParameterizedTest
    @CsvSource({"512m, 4", "1500m, 5", "4g, 16", "10g, 21", "20g, 80"})
    void sparksPluginGetsH2BesideItsHeap(String heap, long gib) {
        JvmResult result = run("a.Plugin,org.ztera.spark.ZTeraPlugin", "-Xmx" + heap);
        expect(result, gib, "ergonomic");
        result.line("^\\s*bool\\s+UseParallelGC\\s+=\\s+true\\s");
    }

    @Test
    void theParallelCollectorMayBeGiven() {
        expect(run("org.ztera.spark.ZTeraPlugin", "-Xmx512m", "-XX:+UseParallelGC"), 4, "ergonomic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:-UseParallelGC", "-XX:+UseZGC", "-XX:AllocateHeapAt=."})
    void anotherHeapStays(String flag) {
        expect(run("org.ztera.spark.ZTeraPlugin", "-Xmx512m", flag), 0, "default");
    }

    @Test
    void anExplicitSizeStays() {
        expect(run("org.ztera.spark.ZTeraPlugin", "-Xmx512m", "-XX:H2Size=1g"), 1, "command line");
        expect(run("org.ztera.spark.ZTeraPlugin", "-Xmx512m", "-XX:H2Size=0"), 0, "command line");
    }

    @ParameterizedTest
    @ValueSource(strings = {"another.Plugin", "my.org.ztera.spark.ZTeraPlugin", "org.ztera.spark.ZTeraPlugins"})
    void otherPluginsGetNone(String plugins) {
        expect(run(plugins, "-Xmx512m"), 0, "default");
    }

    /** There, the executors have H2. */
    @ParameterizedTest
    @ValueSource(strings = {"spark://host:7077", "yarn", "local-cluster[2,1,1024]"})
    void driversOfClustersGetNone(String master) {
        expect(run("org.ztera.spark.ZTeraPlugin", "-Xmx512m", "-Dspark.master=" + master), 0, "default");
    }

    @Test
    void localModeMayBeNamed() {
        expect(run("org.ztera.spark.ZTeraPlugin,b.Plugin", "-Xmx512m", "-Dspark.master=local[2]"), 4, "ergonomic");
    }
}
