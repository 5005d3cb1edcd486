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
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Setup;

/**
 * A program has H2 without a flag if a setting of it lists a class of {@code org.ztera}. Here it is a property; the
 * tests of Spark's plugin give it to spark-submit.
 */
class ProgramsTest {
    @BeforeEach
    void aJvmWithH2() {
        assumeFalse(Jdk.STOCK, "a stock JVM has no H2 for any program");
    }

    private static JvmResult run(String plugins, String... flags) {
        JvmResult result = JvmRun.of(Setup.DEFAULT).withoutH2().withoutFlag("UseParallelGC").withoutFlag("UseCompressedOops")
                .flag("-Da.b.plugins=" + plugins, "-XX:+PrintFlagsFinal").flag(flags).version().run();
        assertEquals(0, result.exitCode(), result::describe);
        return result;
    }

    private static void expect(JvmResult result, long gib, String origin) {
        result.line("^\\s*size_t\\s+H2Size\\s+=\\s+" + (gib << 30) + "\\s.*\\{" + origin + "}");
    }

    /** The plugin's SizingTest reads the same table: it gives executors as much. */
    @ParameterizedTest
    @CsvFileSource(files = "../spark/src/test/resources/sizes.csv")
    void aPluginGetsH2BesideItsHeap(long heapMib, long gib) {
        JvmResult result = run("a.Plugin,org.ztera.spark.ZTeraPlugin", "-Xmx" + heapMib + "m");
        expect(result, gib, "ergonomic");
        result.line("^\\s*bool\\s+UseParallelGC\\s+=\\s+true\\s");
    }

    /** Spark's launcher prints the command that starts Spark, and has 128 MiB. */
    @Test
    void programsThatStartOthersGetNone() {
        expect(run("org.ztera.spark.ZTeraPlugin", "-Xmx128m"), 0, "default");
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
    @ValueSource(strings = {"another.Plugin", "my.org.ztera.spark.ZTeraPlugin", "org.zteras.Plugin"})
    void otherPluginsGetNone(String plugins) {
        expect(run(plugins, "-Xmx512m"), 0, "default");
    }
}
