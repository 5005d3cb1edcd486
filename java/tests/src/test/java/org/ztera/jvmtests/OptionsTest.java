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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ztera.jvmtests.child.Eviction;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.LoopDisk;
import org.ztera.jvmtests.harness.NativeLibrary;
import org.ztera.jvmtests.harness.Setup;

/** The VM refuses what cannot be, with a message that names flag, value, limit and remedy; never a crash. */
class OptionsTest {
    /** Name, flags, and the patterns of which each must be found in the message. */
    private record Refusal(String name, String[] flags, String[] message) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Refusal refusal(String name, String flags, String... message) {
        return new Refusal(name, flags.split(" "), message);
    }

    static Stream<Refusal> refusals() {
        return Stream.of(
                refusal("G1", "-XX:+UseG1GC", "H2Size=256M", "UseParallelGC", "H2Size=0"),
                refusal("Serial", "-XX:+UseSerialGC", "H2Size=256M", "UseParallelGC", "H2Size=0"),
                refusal("Z", "-XX:+UseZGC", "H2Size=256M", "UseParallelGC", "H2Size=0"),
                refusal("Parallel switched off", "-XX:-UseParallelGC", "H2Size=256M", "UseParallelGC"),
                // Its compilers leave out the barrier of stores of null, which shapes need.
                refusal("JVMCI", "-XX:+UnlockExperimentalVMOptions -XX:+EnableJVMCI", "H2Size=256M", "EnableJVMCI", "drop"),
                refusal("one byte", "-XX:H2Size=1", "H2Size=1\\b", "16M"),
                refusal("less than the minimum", "-XX:H2Size=1m", "H2Size=1048576\\b", "16M"),
                refusal("more than addresses allow", "-XX:H2Size=1000t -XX:-UseCompressedOops", "H2Size="),
                refusal("not a number", "-XX:H2Size=lots", "H2Size"),
                refusal("negative", "-XX:H2Size=-1", "H2Size"),
                refusal("region size not a power of two", "-XX:H2RegionSize=3m", "H2RegionSize=3145728", "power of two"),
                refusal("region too small", "-XX:H2RegionSize=4k", "H2RegionSize=4096", "power of two"),
                refusal("region too large", "-XX:H2RegionSize=1g", "H2RegionSize", "power of two|quarter"),
                refusal("region as large as H2", "-XX:H2RegionSize=256m", "H2RegionSize", "H2Size"),
                refusal("unit not a power of two", "-XX:H2UnitSize=5000", "H2UnitSize=5000", "power of two"),
                refusal("unit too large", "-XX:H2UnitSize=1m", "H2UnitSize=1048576", "64K"),
                refusal("resident size too small", "-XX:H2ResidentSize=1", "H2ResidentSize=1\\b", "minimum"),
                refusal("pool too small", "-XX:H2PoolSize=1", "H2PoolSize=1\\b", "minimum"),
                refusal("unknown backing", "-XX:H2Backing=foo", "H2Backing=foo", "tier", "file"),
                refusal("unknown codec", "-XX:H2Codec=foo", "H2Codec=foo", "lz4", "zstd", "deflate"),
                refusal("unknown fault mode", "-XX:H2FaultMode=foo", "H2FaultMode=foo", "auto"),
                refusal("threshold over 100", "-XX:H2MoveThreshold=101", "H2MoveThreshold", "101|between|range"),
                refusal("file without path", "-XX:H2Backing=file", "H2Backing=file", "H2Path"),
                refusal("path missing", "-XX:H2Backing=file -XX:H2Path=/no/such/directory",
                        "H2Path=/no/such/directory", "directory"),
                refusal("path a file", "-XX:H2Backing=file -XX:H2Path=/etc/passwd", "H2Path=/etc/passwd", "directory"),
                // Nobody can make a file there, not even root, whom permissions do not stop.
                refusal("path unwritable", "-XX:H2Backing=file -XX:H2Path=/proc", "H2Path=/proc"),
                // It took the DRAM that it was to save, beyond any budget.
                refusal("path in memory", "-XX:H2Path=/dev/shm", "H2Path=/dev/shm is in memory", "tmpfs", "drop H2Path"),
                refusal("SSD limit too small", "-XX:H2Path=. -XX:H2FileSize=1m", "H2FileSize=1048576\\b", "minimum"),
                refusal("SSD limit too large", "-XX:H2Path=. -XX:H2FileSize=4000000g", "H2Path=\\.", "H2FileSize=", "free"),
                refusal("unknown codec for idle pages", "-XX:H2RecompressCodec=lz4", "H2RecompressCodec=lz4", "zstd", "none"),
                refusal("accelerator without its codec", "-XX:H2Accelerator=model", "H2Accelerator", "H2Codec=deflate"),
                refusal("unknown accelerator", "-XX:H2Accelerator=foo -XX:H2Codec=deflate", "H2Accelerator names no device", "model"),
                // The VM chooses no rate: 0 has always been no limit.
                refusal("SSD too slow", "-XX:H2Path=. -XX:H2WriteRate=1000", "H2WriteRate=1000\\b", "minimum", "use 0 for no limit"),
                // The first was accepted in silence, and the VM crashed at the others.
                refusal("path empty", "-XX:H2Path=", "H2Path= is empty", "drop H2Path"),
                refusal("codec empty", "-XX:H2Codec=", "H2Codec= is empty", "lz4, zstd or deflate"),
                refusal("codec for idle pages empty", "-XX:H2RecompressCodec=", "H2RecompressCodec= is empty", "zstd, deflate or none"),
                refusal("backing empty", "-XX:H2Backing=", "H2Backing= is empty", "tier or file"),
                refusal("fault mode empty", "-XX:H2FaultMode=", "H2FaultMode= is empty", "auto"),
                refusal("a mapped file encrypted", "-XX:H2Backing=file -XX:H2Path=. -XX:+H2Encrypt", "H2Encrypt", "H2Backing=tier"),
                refusal("a mapped file limited", "-XX:H2Backing=file -XX:H2Path=. -XX:H2WritesPerDay=1g", "H2WritesPerDay", "H2Backing=tier"),
                refusal("file limit below H2Size", "-XX:H2Backing=file -XX:H2Path=. -XX:H2FileSize=32m",
                        "H2FileSize=", "H2Size"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refuses(Refusal r) {
        if (Jdk.STOCK) {
            assertEquals(0, JvmRun.of(Setup.DEFAULT).version().run().exitCode());
            return;
        }
        JvmRun.of(Setup.DEFAULT).flag(r.flags()).version().run().refused(r.message());
    }

    /** The remedy was that of a directory in which no file can be made. */
    @Test
    void aDeviceThatHoldsDataIsRefused() throws IOException {
        JvmRun run = JvmRun.of(Setup.DEFAULT).version();
        LoopDisk made;
        try {
            made = LoopDisk.attach(run.directory(), 64 << 20);
        } catch (IOException e) {
            System.out.println("SKIPPED, no block device of its own: " + e.getMessage());
            return;
        }
        try (LoopDisk device = made) {
            if (!Jdk.STOCK) {
                run.flag("-XX:H2Path=" + device.path()).run().refused("the device in H2Path holds data", "wipefs --all");
            }
        }
    }

    @Test
    void pathTooSmall() throws IOException {
        Path directory = JvmRun.of(Setup.DEFAULT).version().directory();
        long free = Files.getFileStore(directory).getUsableSpace();
        long tooMuch = Math.max(64, (free >> 20) * 2);
        if (!Jdk.STOCK) {
            JvmRun.of(Setup.DEFAULT).flag("-XX:-UseCompressedOops", "-XX:H2Backing=file", "-XX:H2Path=.",
                    "-XX:H2Size=" + tooMuch + "m").version().run()
                    .refused("H2Path=\\.", "H2Size=" + tooMuch + "M", "free");
        }
    }

    @Test
    void withoutUserfaultfdTheTierIsRefusedWithARemedy() {
        if (!Jdk.STOCK) {
            JvmRun.of(Setup.DEFAULT).through(NativeLibrary.withoutUserfaultfd()).version().run()
                    .refused("H2Backing=tier", "userfaultfd", "H2Backing=file", "H2Path");
        }
    }

    @Test
    void withoutUserfaultfdAPathGivesAFile() {
        JvmResult result = JvmRun.of(Setup.DEFAULT).through(NativeLibrary.withoutUserfaultfd())
                .flag("-XX:H2Path=.", "-Xlog:gc+h2").main(Eviction.class).run();
        result.passed();
        if (!Jdk.STOCK) {
            result.line("No userfaultfd .*H2Path=\\.");
            result.line("backing file");
            result.line("not compressed, its bytes are not verified");
        }
    }

    /**
     * Batch systems limit addresses (ulimit -v, -d). The pool took as many as the machine has memory, and the VM
     * refused to start with advice that did not help.
     *
     * <p>Situation: environments: addresses are limited, by ulimit -v or -d. Outcome: the VM starts, and moves.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-d 2000000", "-d 4194304", "-v 4194304", "-v 8388608"})
    void limitedAddressesAreNoHindrance(String limit) {
        limited(limit).flag("-Xmx96m").main(Eviction.class).run().passed();
    }

    /** Situation: environments: too few addresses are left for H2Size. Outcome: the message names the limit. */
    @ParameterizedTest
    @ValueSource(strings = {"-d 2000000", "-v 4194304"})
    void limitedAddressesThatDoNotSufficeAreNamed(String limit) {
        if (!Jdk.STOCK) {
            limited(limit).flag("-Xmx96m", "-XX:H2Size=6g").version().run()
                    .refused("H2Size=6144M", "ulimit " + limit.substring(0, 2) + " leaves \\d+M", "lower H2Size");
        }
    }

    private static JvmRun limited(String limit) {
        return JvmRun.of(Setup.DEFAULT).through("/bin/sh", "-c", "ulimit " + limit + " && exec \"$@\"", "sh");
    }

    /** The mapped file would not be encrypted. */
    @Test
    void withoutUserfaultfdEncryptionIsRefused() {
        if (!Jdk.STOCK) {
            JvmRun.of(Setup.DEFAULT).through(NativeLibrary.withoutUserfaultfd()).flag("-XX:H2Path=.", "-XX:+H2Encrypt").version()
                    .run().refused("H2Backing=tier", "userfaultfd");
        }
    }

    @Test
    void h2SizeAloneSelectsTheParallelCollector() {
        JvmResult result = JvmRun.of(Setup.DEFAULT).flag("-XX:+PrintFlagsFinal").version().run();
        assertEquals(0, result.exitCode(), result::describe);
        if (!Jdk.STOCK) {
            result.line("^\\s*bool\\s+UseParallelGC\\s+=\\s+true\\s.*\\{ergonomic}");
            result.line("^\\s*size_t\\s+H2Size\\s+=\\s+268435456\\s.*\\{command line}");
        }
    }

    @Test
    void namesItselfAsZTera() {
        JvmResult result = JvmRun.of(Setup.DEFAULT).version().run();
        assertEquals(0, result.exitCode(), result::describe);
        if (!Jdk.STOCK) {
            result.line("ZTera");
        }
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void accepts(String flag) {
        JvmResult result = JvmRun.of(Setup.DEFAULT).flag(flag).version().run();
        assertEquals(0, result.exitCode(), result::describe);
    }

    static Stream<Arguments> accepted() {
        return Stream.of("-XX:+UseParallelGC", "-XX:H2Codec=zstd", "-XX:H2Codec=deflate", "-XX:H2UnitSize=4096", "-XX:H2UnitSize=65536",
                "-XX:H2RegionSize=256k", "-XX:H2RegionSize=64m", "-XX:H2MoveThreshold=0", "-XX:H2ResidentSize=4m",
                "-XX:H2PoolSize=8m", "-XX:H2FaultMode=handler", "-XX:H2FaultMode=sigbus", "-XX:+H2Auto",
                "-XX:H2RecompressCodec=none", "-XX:H2RecompressCodec=deflate", "-XX:H2IdleEpochs=0").map(Arguments::of);
    }
}
