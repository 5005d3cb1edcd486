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

import java.io.IOException;
import org.ztera.jvmtests.child.CompressedFits;
import org.ztera.jvmtests.child.Eviction;
import org.ztera.jvmtests.child.FullSsd;
import org.ztera.jvmtests.child.GarbageFills;
import org.ztera.jvmtests.child.H2Full;
import org.ztera.jvmtests.child.InParts;
import org.ztera.jvmtests.child.LastResort;
import org.ztera.jvmtests.child.ManyConstants;
import org.ztera.jvmtests.child.SmallMoves;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.LoopDisk;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** Limits are kept, and reaching them is survived. */
class CapacityTest {
    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW, fastdebug = WIDE)
    void h2IsFull(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=24m").main(H2Full.class, "10000000").run().passed();
    }

    /** Small regions, so that groups lie in runs, of which parts die. */
    @Matrix(file = NARROW, fastdebug = WIDE_COMPACT)
    void garbageThatFillsH2IsFoundUnasked(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=64m", "-XX:H2RegionSize=256k", "-XX:H2ResidentSize=4m").main(GarbageFills.class).run().passed();
    }

    /** The address space would do many times over. */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void garbageThatFillsThePoolIsFoundUnasked(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=1g", "-XX:H2RegionSize=256k", "-XX:H2ResidentSize=4m", "-XX:H2PoolSize=48m")
                .main(GarbageFills.class).run().passed();
    }

    /** The data does not compress, so pool and resident pages together hold 20 of the 40 MB. */
    @Matrix(fastdebug = {NARROW, WIDE})
    void thePoolIsFull(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2PoolSize=16m", "-XX:H2ResidentSize=4m").main(H2Full.class, "5000000").run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void aGroupThatWasAskedForMovesInParts(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2PoolSize=16m", "-XX:H2ResidentSize=4m").main(InParts.class, "asked").run().passed();
    }

    // Bug: One group without room kept all groups of that request on the list. Objects that whole groups referred to
    // later moved, too.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void aWholeGroupIsNotAskedForAgain(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2PoolSize=16m", "-XX:H2ResidentSize=4m").main(InParts.class, "beside").run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void aGroupThatNobodyAskedForMovesInParts(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:H2MoveThreshold=10", "-XX:H2PoolSize=16m", "-XX:H2ResidentSize=4m")
                .main(InParts.class, "unasked").run().passed();
    }

    // Bug: Below the threshold of occupancy no tagged group moved: OutOfMemoryError with room in H2.
    @Matrix(modes = {NARROW, WIDE}, fastdebug = NARROW_COMPACT)
    void aTaggedGroupMovesBeforeMemoryRunsOut(Setup setup) {
        JvmRun.of(setup).flag("-Xmx120m", "-Xmn20m").main(LastResort.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void whatFitsCompressedMovesBeforeH1TakesItsRoom(Setup setup) {
        JvmRun.of(setup).flag("-Xms128m", "-Xmx128m", "-XX:H2Size=1g", "-XX:H2MemoryLimit=330m", "-XX:-H2Verify")
                .main(CompressedFits.class).run().passed();
    }

    // Bug: Each collector thread took half a MiB of H2 for its part of a move, however little, and left the rest
    // unused.
    @Matrix(modes = WIDE_COMPACT, fastdebug = NARROW)
    void smallMovesWasteLittle(Setup setup) {
        JvmRun.of(setup).flag("-XX:ParallelGCThreads=8", "-XX:-UseDynamicNumberOfGCThreads", "-XX:H2Size=40m", "-XX:H2RegionSize=4m", "-XX:-H2Verify")
                .main(SmallMoves.class).run().passed();
    }

    // Bug: Each reference to a constant took 8 bytes of native memory in the pause of a move.
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void constantsTakeNoMemoryPerReference(Setup setup) {
        JvmRun.of(setup).flag("-XX:NativeMemoryTracking=summary").main(ManyConstants.class).run().passed();
    }

    @Matrix(fastdebug = {NARROW, NARROW_COMPACT})
    void pagesLeaveDramAndComeBack(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m").main(Eviction.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE}, fastdebug = NARROW)
    void pagesComeBackByHandlers(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2FaultMode=handler").main(Eviction.class).run().passed();
    }

    /** A quarter of the data does not compress and the pool is small: without SSD not all of it would move. */
    @Matrix(fastdebug = {NARROW, WIDE_COMPACT})
    void pagesLeaveDramForSsdAndComeBack(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2PoolSize=8m", "-XX:H2Path=.").main(Eviction.class).run().passed();
    }

    @Matrix(modes = NARROW, fastdebug = NARROW)
    void pagesLeaveDramForAnEncryptedSsd(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2PoolSize=8m", "-XX:H2Path=.", "-XX:+H2Encrypt", "-XX:H2IdleEpochs=1")
                .main(Eviction.class).run().passed();
    }

    @Matrix(modes = NARROW, fastdebug = WIDE)
    void theSsdIsFull(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2PoolSize=8m", "-XX:H2Path=.", "-XX:H2FileSize=16m")
                .main(H2Full.class, "8000000").run().passed();
    }

    /**
     * It ended in an OutOfMemoryError, and no line named the SSD.
     *
     * <p>Situation: full devices: others fill the disk below H2 while the program runs. Outcome: the log names H2Path
     * and ENOSPC at the OutOfMemoryError.
     */
    @Matrix(modes = NARROW)
    void aDiskThatOthersFilledIsNamedAtTheOutOfMemoryError(Setup setup) throws IOException {
        JvmRun run = JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m", "-XX:H2PoolSize=8m");
        LoopDisk mounted;
        try {
            mounted = LoopDisk.mount(run.directory(), 64 << 20);
        } catch (IOException e) {
            System.out.println("SKIPPED, no file system of its own: " + e.getMessage());
            return;
        }
        try (LoopDisk disk = mounted) {
            JvmResult result = run.flag("-XX:H2Path=" + disk.path())
                    .main(FullSsd.class, disk.path().resolve("others.bin").toString()).run().passed();
            if (!Jdk.STOCK) {
                result.line("\\[warning\\].*OutOfMemoryError: H2 has no room for more, as H2Path=" + disk.path() + " has no space left \\(ENOSPC\\)");
            }
        }
    }

    @Matrix(modes = NARROW)
    void theLimitOfTheFileIsNamedAtTheOutOfMemoryError(Setup setup) {
        JvmResult result = JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m", "-XX:H2PoolSize=8m", "-XX:H2Path=.", "-XX:H2FileSize=16m")
                .main(FullSsd.class, "/dev/full").run().passed();
        if (!Jdk.STOCK) {
            result.line("\\[warning\\].*OutOfMemoryError: H2 has no room for more, and H2FileSize=16M in H2Path=\\. is used up; raise it");
        }
    }

    @Matrix(modes = {NARROW, WIDE})
    void pagesLeaveDramWithZstd(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2Codec=zstd").main(Eviction.class).run().passed();
    }

    @Matrix(modes = NARROW)
    void pagesLeaveDramInUnitsOf4K(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2UnitSize=4k").main(Eviction.class).run().passed();
    }

    @Matrix(modes = NARROW)
    void pagesLeaveDramInUnitsOf64K(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2UnitSize=64k").main(Eviction.class).run().passed();
    }

    /** The kernel keeps the pages of a file as it likes; the content must be right all the same. */
    @Matrix(modes = {}, file = {NARROW, WIDE})
    void pagesOfAFile(Setup setup) {
        JvmRun.of(setup).main(Eviction.class).run().passed();
    }
}
