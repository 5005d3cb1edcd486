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

import org.ztera.jvmtests.child.Hubs;
import org.ztera.jvmtests.child.LastRoom;
import org.ztera.jvmtests.child.Prefixes;
import org.ztera.jvmtests.child.Scattered;
import org.ztera.jvmtests.child.Shapes;
import org.ztera.jvmtests.child.Sliding;
import org.ztera.jvmtests.child.Standing;
import org.ztera.jvmtests.child.Untagged;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** A look through H2 marks from shapes. */
class ShapesTest {
    /**
     * Situation: garbage: most of H2 is compressed, and a third of it dies. Outcome: a look finds it and reads nearly
     * no page. HotSpot's own assertions read the headers of referents that die.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void looksReadNoPageThatNobodyWrote(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(Shapes.class).run().passed()
                .logged("Marked H2 from shapes of [1-9]");
    }

    // Bug: a look read blocks without a shape in the order of references. RDF4J's store waited for half a minute.
    // Situation: garbage: all of H2 was written to, and most of it is compressed. Outcome: it reads few pages twice.
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void looksReadInTheOrderOfAddresses(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(Scattered.class).run().passed();
    }

    /** The same with each shape compared with memory after each collection. */
    @Matrix(modes = {NARROW, WIDE}, fastdebug = {NARROW_COMPACT, WIDE_COMPACT})
    void shapesSayWhatMemorySays(Setup setup) {
        JvmRun.of(setup).main(Shapes.class).run().passed();
    }

    /**
     * Bug: a block in which all lives kept its shape, and got another one that knew of no object. There something dead
     * reached into it from a region that was given back.
     */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void whatTheDeadReachIntoKeepsItsShape(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2RegionSize=256k", "-XX:ParallelGCThreads=1").main(Prefixes.class).run().passed()
                .logged("Looked through H2: .* [1-9]\\d* regions freed");
    }

    // Bug: Each full GC read all of H2 where its objects refer to a few of H1, to mark these. An SSD made that seconds.
    // Situation: references to H1: all objects of a group refer to a few in H1. Outcome: full GCs hardly read it.
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void fullGcsReadNothingWhereTargetsHoldStill(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(Hubs.class).run().passed();
    }

    // Bug: A full GC in which such objects of H1 moved read all of H2 to correct what refers to them.
    // Situation: references to H1: these few move, and the program writes meanwhile. Outcome: full GCs hardly read it.
    @Matrix(modes = {NARROW, NARROW_COMPACT})
    void fullGcsReadNothingWhereTargetsMove(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(Sliding.class).run().passed()
                .logged("were corrected \\([1-9]\\d{4,} references where they are not in memory");
    }

    // Bug: Something small died in H1, and all of H2 was corrected, as what it refers to moved by these bytes.
    // Situation: references to H1: others move to H2, and something before the targets dies. Outcome: these stay.
    @Matrix(modes = {NARROW, WIDE}, fastdebug = NARROW)
    void whatH2RefersToKeepsItsPlace(Setup setup) {
        JvmRun.of(setup).flag("-XX:-UseMaximumCompactionOnSystemGC").main(Standing.class).run().passed()
                .logged("Backward references of [1-9]\\d\\d+ blocks hold still")
                .loggedAtMost(1, "those of [1-9]\\d\\d+ were corrected");
    }

    /** The same where groups move out of the part of H1 that keeps its places, up to its end. */
    @Matrix(modes = {NARROW, WIDE}, fastdebug = {NARROW, NARROW_COMPACT})
    void groupsMoveFromBetweenWhatStays(Setup setup) {
        JvmRun.of(setup).flag("-XX:-UseMaximumCompactionOnSystemGC", "-XX:MarkSweepDeadRatio=100").main(Standing.class)
                .run().passed();
    }

    // Bug: what keeps its place in H1 kept room for the dead beside it, even where an allocation found no other.
    // Situation: references to H1: an allocation needs all room in a row. Outcome: the last full GC compacts all of H1.
    @Matrix(modes = {NARROW, NARROW_COMPACT})
    void theLastFullGcCompactsAll(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-Xmn16m", "-XX:-H2Auto", "-XX:MarkSweepDeadRatio=100").main(LastRoom.class)
                .run().passed();
    }

    /** The same with all references compared with what is known of them, also where each has 64 bits. */
    @Matrix(modes = {NARROW, WIDE}, fastdebug = {NARROW, WIDE_COMPACT})
    void correctedReferencesAreRight(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=64m").main(Sliding.class).run().passed();
    }

    /** The same with all references compared with what is known of them. */
    @Matrix(modes = NARROW, fastdebug = {NARROW, WIDE_COMPACT})
    void whatBlocksReferToIsKnown(Setup setup) {
        JvmRun.of(setup).main(Hubs.class).run().passed();
    }

    /** Units may be smaller and larger than blocks, which have one shape each. */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void unitsAreSmallerThanBlocks(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2UnitSize=4k").main(Shapes.class).run().passed();
    }

    @Matrix(modes = NARROW, fastdebug = NARROW)
    void unitsAreLargerThanBlocks(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2UnitSize=64k").main(Shapes.class).run().passed();
    }

    /** Bug: a thread that had no memory to unpack shapes ended the process. H2Stress finds none now and then. */
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void shapesAreUnpackedWithoutMemory(Setup setup) {
        JvmRun.of(setup).flag("-XX:+H2Stress", "-XX:H2StressSeed=7").main(Shapes.class, "stressed").run().passed()
                .logged("No memory for [1-9]\\d* batches of shapes");
    }

    // Situation: garbage: shapes of small objects, plain with a file, have no room. Outcome: a look finds what is dead.
    @Matrix(modes = {}, file = NARROW, fastdebug = NARROW)
    void shapesHaveABound(Setup setup) {
        JvmRun.of(setup).flag("-Xmx24m", "-Xmn8m", "-XX:H2Backing=file", "-XX:H2Path=.", "-XX:H2MemoryLimit=64m")
                .main(Untagged.class, "links", "2000000").run().passed()
                .logged("Marked H2 from shapes of 3\\d{3}K ");
    }
}
