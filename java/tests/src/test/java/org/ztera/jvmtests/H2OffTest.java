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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.WIDE_COMPACT;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ztera.jvmtests.child.Child;
import org.ztera.jvmtests.child.H2Off;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmProcess;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** A VM without H2Size is a stock VM. */
class H2OffTest {
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void nothingMovesAndNothingShows(Setup setup) {
        expectOff(JvmRun.of(setup).withoutH2().flag("-XX:+UseParallelGC"), setup.jdk());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseZGC"})
    void otherCollectorsWork(String collector) {
        JvmRun run = JvmRun.of(Setup.DEFAULT).withoutH2().withoutFlag("UseParallelGC").withoutFlag("UseCompressedOops");
        expectOff(run.flag(collector), Jdk.RELEASE);
    }

    private static void expectOff(JvmRun run, Jdk jdk) {
        JvmProcess child = run.flag("-Xlog:gc+h2=trace").main(H2Off.class).start().awaitLine(Child.READY);
        String heap = child.jcmd(jdk, "GC.heap_info");
        String json = Jdk.STOCK ? "{\"enabled\":false}" : child.jcmd(jdk, "GC.h2_info", "json");
        JvmResult result = child.send("go on").await().passed().noLine("gc,h2");
        assertFalse(heap.contains("H2"), heap);
        assertEquals("{\"enabled\":false}", json.substring(json.indexOf('{')).replaceAll("\\s", ""));
        assertEquals(List.of(), result.lines("H2"));
    }

    @Test
    void h2SizeIsZeroByDefault() {
        JvmResult result = JvmRun.of(Setup.DEFAULT).withoutH2().withoutFlag("UseParallelGC")
                .flag("-XX:+PrintFlagsFinal").version().run();
        assertEquals(0, result.exitCode(), result::describe);
        if (!Jdk.STOCK) {
            result.line("^\\s*size_t\\s+H2Size\\s+=\\s+0\\s.*\\{default}");
        }
        // The choice of the collector is the stock VM's.
        result.line("^\\s*bool\\s+UseParallelGC\\s+=\\s+false\\s");
    }
}
