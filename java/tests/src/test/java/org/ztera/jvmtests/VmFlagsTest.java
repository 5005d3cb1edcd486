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

import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.NARROW_COMPACT;
import static org.ztera.kit.OopMode.WIDE;
import static org.ztera.kit.OopMode.WIDE_COMPACT;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.ztera.jvmtests.child.ClosureMoves;
import org.ztera.jvmtests.child.ConcurrentMoves;
import org.ztera.jvmtests.child.ExcludedStay;
import org.ztera.jvmtests.child.FullBackward;
import org.ztera.jvmtests.child.HeavyAllocation;
import org.ztera.jvmtests.child.JvmtiHeap;
import org.ztera.jvmtests.child.LabelsAndRegions;
import org.ztera.jvmtests.child.LargeArrays;
import org.ztera.jvmtests.child.MoveNowOnly;
import org.ztera.jvmtests.child.NamedGroups;
import org.ztera.jvmtests.child.RegionDependencies;
import org.ztera.jvmtests.child.TagMoveContains;
import org.ztera.jvmtests.child.YoungBackward;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.NativeLibrary;
import org.ztera.jvmtests.harness.Setup;

/** H2 together with the VM's other flags. */
class VmFlagsTest {
    @Matrix(file = {NARROW, WIDE}, fastdebug = NARROW)
    void alwaysPreTouch(Setup setup) {
        JvmRun.of(setup).flag("-XX:+AlwaysPreTouch").main(LabelsAndRegions.class).run().passed();
    }

    /** Touching in advance is for H1; an H2 larger than the machine must start, too. */
    @Matrix(file = NARROW)
    void alwaysPreTouchLeavesH2Alone(Setup setup) {
        JvmRun.of(setup).flag("-XX:+AlwaysPreTouch", "-XX:H2Size=6g").main(MoveNowOnly.class).run().passed();
    }

    @Matrix(fastdebug = {NARROW, WIDE_COMPACT})
    void smallYoungGeneration(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-Xmn4m").main(HeavyAllocation.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW)
    void oneCollectorThread(Setup setup) {
        JvmRun.of(setup).flag("-XX:ParallelGCThreads=1", "-Xmx64m").main(HeavyAllocation.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW, fastdebug = NARROW)
    void fourCollectorThreads(Setup setup) {
        JvmRun.of(setup).flag("-XX:ParallelGCThreads=4", "-XX:-UseDynamicNumberOfGCThreads")
                .main(ConcurrentMoves.class).run().passed();
    }

    @Matrix
    void withoutClassDataSharing(Setup setup) {
        JvmRun.of(setup).flag("-Xshare:off").main(ClosureMoves.class).run().passed();
    }

    @Matrix
    void withClassDataSharingOrElse(Setup setup) {
        JvmRun.of(setup).flag("-Xshare:on").main(TagMoveContains.class).run().passed();
    }

    /** An archive of classes and heap is written without H2, whatever the flags say, and used with it. */
    // Bug: -Xshare:dump with H2 on filled filler objects of which only headers existed.
    @Matrix(modes = {NARROW, NARROW_COMPACT}, fastdebug = NARROW)
    void anArchiveOfItsOwn(Setup setup) {
        JvmRun dump = JvmRun.of(setup).flag("-XX:+H2Stress", "-XX:H2StressInterval=4m", "-Xshare:dump").main(ClosureMoves.class);
        Path archive = dump.directory().toAbsolutePath().resolve("classes.jsa");
        dump.flag("-XX:SharedArchiveFile=" + archive).run().ended().logged("H2 is off while the VM writes an archive");
        JvmRun.of(setup).flag("-Xshare:on", "-XX:SharedArchiveFile=" + archive).main(ClosureMoves.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE}, file = NARROW)
    void theCollectorsOwnVerification(Setup setup) {
        JvmRun.of(setup).flag("-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC").main(FullBackward.class).run().passed();
    }

    @Matrix(modes = NARROW)
    void checkedJni(Setup setup) {
        JvmRun.of(setup).flag("-Xcheck:jni").main(JvmtiHeap.class, NativeLibrary.heapAgent().toString()).run().passed();
    }

    @Matrix(modes = {NARROW, NARROW_COMPACT})
    void objectsAlignedTo16Bytes(Setup setup) {
        JvmRun.of(setup).flag("-XX:ObjectAlignmentInBytes=16").main(FullBackward.class).run().passed();
    }

    static Stream<Arguments> oneByOne() {
        return Stream.of(
                // The three ways compressed oops are encoded, beside the unscaled one that the other tests have.
                Arguments.of("zero-based oops", FullBackward.class, "-XX:H2Size=8g"),
                Arguments.of("oops with a base", FullBackward.class, "-XX:HeapBaseMinAddress=40g"),
                Arguments.of("oops that H2 makes wide", FullBackward.class, "-XX:H2Size=40g"),
                Arguments.of("regions of 256 KiB", LargeArrays.class, "-XX:H2RegionSize=256k"),
                Arguments.of("regions of 16 MiB", ExcludedStay.class, "-XX:H2RegionSize=16m"),
                Arguments.of("regions of the default size", RegionDependencies.class, "-XX:H2RegionSize=0"),
                Arguments.of("a size that is no multiple of anything", TagMoveContains.class, "-XX:H2Size=33333333"),
                Arguments.of("the smallest H2", TagMoveContains.class, "-XX:H2Size=16m"),
                Arguments.of("no explicit GC", MoveNowOnly.class, "-XX:+DisableExplicitGC"),
                // Bug: The Spark plugin called System.gc() to have memory back, in vain under this flag.
                Arguments.of("no explicit GC but H2's", NamedGroups.class, "-XX:+DisableExplicitGC"),
                Arguments.of("fixed generation sizes", YoungBackward.class, "-XX:-UseAdaptiveSizePolicy"),
                Arguments.of("a heap of fixed size", ClosureMoves.class, "-Xms128m"),
                Arguments.of("native memory tracking", ClosureMoves.class, "-XX:NativeMemoryTracking=detail"),
                Arguments.of("transparent huge pages", LargeArrays.class, "-XX:+UseTransparentHugePages"),
                Arguments.of("no class unloading", ClosureMoves.class, "-XX:-ClassUnloading"),
                Arguments.of("no thread-local buffers", YoungBackward.class, "-XX:-UseTLAB"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("oneByOne")
    void otherFlags(String name, Class<?> program, String flag) {
        JvmRun run = JvmRun.of(Setup.DEFAULT).flag(flag);
        if (flag.contains("=40g") && flag.contains("H2Size")) {
            // Not asked for here: whether oops are compressed is for the VM to decide.
            run.withoutFlag("UseCompressedOops");
        }
        run.main(program).run().passed();
    }
}
