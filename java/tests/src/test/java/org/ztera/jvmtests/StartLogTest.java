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

import org.junit.jupiter.api.Test;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Setup;

/** The VM says at start what its flags come to, and warns, with numbers, of what cannot be. */
class StartLogTest {
    private static JvmResult start(String... flags) {
        return run(JvmRun.of(Setup.DEFAULT).flag(flags));
    }

    private static JvmResult run(JvmRun run) {
        return run.version().run().ended();
    }

    /** Warnings are for everybody, not only for those who asked for the log. */
    private static void warned(JvmResult result, String regex) {
        if (!Jdk.STOCK) {
            result.line("\\[warning\\]\\[gc,h2 *\\] " + regex);
        }
    }

    @Test
    void eachPartHasALine() {
        start("-XX:H2MemoryLimit=512m", "-XX:H2Path=.", "-XX:H2FileSize=64m")
                .logged("Memory limit: 512M \\(H2MemoryLimit\\), of the machine's \\d+M$")
                .logged("H1: at most 128M \\(Xmx\\), \\d+M at first, at 0x")
                .logged("H2 memory: \\d+M while H1 is full, up to \\d+M while H1 is empty; \\d+M beside both")
                .logged("Tiers: DRAM; compressed DRAM, lz4, then zstd, units of 8K; SSD, at most 64M in H2Path=\\.$")
                .logged("Oops: compressed to 4 bytes")
                .noLine("\\[warning\\]");
    }

    @Test
    void moreThanTheLimitIsWarnedOf() {
        JvmResult result = start("-XX:H2MemoryLimit=256m", "-Xmx200m", "-XX:H2PoolSize=1g");
        warned(result, "The ordinary heap may grow to 200M \\(Xmx\\), and \\d+M are needed .* limit of 256M; lower Xmx to \\d+M$");
        warned(result, "H2PoolSize=1024M would give H2 more than the memory limit of 256M");
        warned(start("-XX:H2MemoryLimit=100000g"), "H2MemoryLimit=102400000M is more than the \\d+M");
        warned(start("-XX:H2MemoryLimit=64m", "-Xms128m"), "The ordinary heap may grow to 128M .*; raise the limit to \\d+M$");
    }

    // Bug: It told people to lower an Xmx that nobody had given.
    @Test
    void whoChoseTheOrdinaryHeapIsNamed() {
        JvmRun chosen = JvmRun.of(Setup.DEFAULT).withoutFlag("-Xmx").flag("-XX:H2MemoryLimit=256m", "-XX:MaxRAM=4g");
        warned(run(chosen), "The ordinary heap may grow to 1024M \\(chosen by the VM\\), .* limit of 256M; give -Xmx\\d+m$");
        JvmRun share = JvmRun.of(Setup.DEFAULT).withoutFlag("-Xmx").flag("-XX:H2MemoryLimit=256m", "-XX:MaxRAM=4g", "-XX:MaxRAMPercentage=50");
        warned(run(share), "The ordinary heap may grow to 2048M \\(MaxRAMPercentage\\), .*; give -Xmx\\d+m$");
    }

    /** The size that the warning names keeps them, and a little more does not. */
    @Test
    void theLargestSizeForCompressedOopsIsNamed() {
        String[] plain = {"-XX:H2Size=40g", "-XX:-H2Verify"};
        warned(run(JvmRun.of(Setup.DEFAULT).withoutFlag("UseCompressedOops").flag(plain)),
                "H2Size=40960M beside a heap of 128M .*; lower H2Size to 32576M to keep compressed oops");
        warned(start(plain), "H2Size=40960M .* references take 8 bytes");
        start("-XX:H2Size=32576m", "-XX:-H2Verify").logged("Oops: compressed").noLine("\\[warning\\].*gc,h2");
        start("-XX:H2Size=32577m", "-XX:-H2Verify").logged("Oops: 8 bytes");
        start("-XX:H2Size=40g", "-XX:-H2Verify", "-XX:-UseCompressedOops").logged("Oops: 8 bytes").noLine("\\[warning\\].*gc,h2");
    }

    @Test
    void aHeapThatH2CutsIsWarnedOf() {
        JvmRun run = JvmRun.of(Setup.DEFAULT).withoutFlag("-Xmx").withoutFlag("UseCompressedOops").flag("-XX:H2Size=32640m", "-XX:-H2Verify");
        warned(run(run), "H2Size=32640M leaves 126M of what compressed oops can address .* would have \\d+M; lower H2Size to \\d+M");
    }

    @Test
    void flagsWithoutASizeAreWarnedOf() {
        warned(run(JvmRun.of(Setup.DEFAULT).withoutH2().flag("-XX:+H2Auto", "-XX:H2Path=.")),
                "Without H2Size there is no second heap, and no effect of H2Path, H2Auto; give H2Size");
        // Bug: Most of them were accepted in silence.
        warned(run(JvmRun.of(Setup.DEFAULT).withoutH2().flag("-XX:H2Codec=zstd", "-XX:H2WriteRate=1g", "-XX:H2Path=")),
                "Without H2Size there is no second heap, and no effect of H2Path, H2WriteRate, H2Codec; give H2Size");
        run(JvmRun.of(Setup.DEFAULT).withoutH2().flag("-XX:-H2Auto")).noLine("\\[warning\\]");
        run(JvmRun.of(Setup.DEFAULT).withoutH2().flag("-XX:H2Size=0", "-XX:+H2Auto")).noLine("\\[warning\\]");
    }
}
