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

import org.ztera.jvmtests.child.AutoArrays;
import org.ztera.jvmtests.child.CallSites;
import org.ztera.jvmtests.child.ClosureMoves;
import org.ztera.jvmtests.child.ConcurrentMoves;
import org.ztera.jvmtests.child.DeadGroup;
import org.ztera.jvmtests.child.ExcludedStay;
import org.ztera.jvmtests.child.Growing;
import org.ztera.jvmtests.child.HotGroup;
import org.ztera.jvmtests.child.LabelsAndRegions;
import org.ztera.jvmtests.child.Language;
import org.ztera.jvmtests.child.Locality;
import org.ztera.jvmtests.child.LockedMemory;
import org.ztera.jvmtests.child.NothingMoves;
import org.ztera.jvmtests.child.Occupancy;
import org.ztera.jvmtests.child.RegionReuse;
import org.ztera.jvmtests.child.Returning;
import org.ztera.jvmtests.child.SmallLabels;
import org.ztera.jvmtests.child.TagMoveContains;
import org.ztera.jvmtests.child.TagTable;
import org.ztera.jvmtests.child.ThousandsOfLabels;
import org.ztera.jvmtests.child.WrittenOnce;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** Tests of moves: which objects move, which do not, and where they go. */
class MovingTest {
    @Matrix(file = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT}, fastdebug = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT})
    void tagMoveContains(Setup setup) {
        JvmRun.of(setup).main(TagMoveContains.class).run().passed().logged("\\[gc,h2");
    }

    @Matrix(file = {NARROW_COMPACT, WIDE}, fastdebug = NARROW)
    void theClosureOfARootMoves(Setup setup) {
        JvmRun.of(setup).main(ClosureMoves.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = NARROW_COMPACT)
    void objectsOfEveryKindOfTypeMove(Setup setup) {
        JvmRun.of(setup).main(Language.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE_COMPACT}, fastdebug = {NARROW, NARROW_COMPACT})
    void excludedObjectsStayAndWork(Setup setup) {
        JvmRun.of(setup).main(ExcludedStay.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE}, fastdebug = NARROW)
    void whatLiesTogetherMovesTogether(Setup setup) {
        JvmRun.of(setup).flag("-XX:ParallelGCThreads=2").main(Locality.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = NARROW)
    void labelsHaveRegionsOfTheirOwn(Setup setup) {
        JvmRun.of(setup).main(LabelsAndRegions.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE}, fastdebug = NARROW)
    void regionsAreReused(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=64m").main(RegionReuse.class).run().passed();
    }

    // Bug: Tags of objects that die young went at full collections only, so native memory grew with each tag.
    @Matrix(file = NARROW, fastdebug = WIDE)
    void theTagTableIsWeak(Setup setup) {
        JvmRun.of(setup).main(TagTable.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE_COMPACT}, fastdebug = {NARROW, WIDE_COMPACT})
    void mutatorsRunOnWhileGroupsMove(Setup setup) {
        JvmRun.of(setup).main(ConcurrentMoves.class).run().passed();
    }

    @Matrix(file = NARROW)
    void aFullOldGenerationMovesTaggedGroups(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:H2MoveThreshold=50").main(Occupancy.class).run().passed();
    }

    /** With H2Auto the values of the nodes would move, too, but never the nodes. */
    @Matrix(file = NARROW, fastdebug = {NARROW, WIDE_COMPACT})
    void whatGroupsAreMadeToReferToMovesWhenTheHeapIsShort(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:-H2Auto").main(Growing.class, "grows", "150").run().passed();
    }

    @Matrix(fastdebug = {NARROW, WIDE_COMPACT})
    void whatReturnedStaysThoughTheHeapIsShort(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2MoveThreshold=1", "-XX:-H2Auto").main(Growing.class, "returns").run().passed();
    }

    /**
     * A label used to take a region of 2 MiB at least, a buffer, and one more pass over all objects for each 63 of
     * them.
     */
    @Matrix(file = NARROW, fastdebug = {NARROW, WIDE})
    void thousandsOfLabelsMoveAtOnce(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=1g", "-XX:H2RegionSize=0", "-Xmx192m").main(ThousandsOfLabels.class, "asked", "3800", "6")
                .run().passed().logged("Asked for: 3800 roots").logged("Copied 3[0-9]{3} labels in [0-9]{4} stretches to [0-9]{1,3} buffers");
    }

    /** A collection per label to trace it would be as many tasks for the workers. */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void thousandsOfLabelsMoveAtOnceUnasked(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=1g", "-XX:H2RegionSize=0", "-Xmx192m", "-XX:H2MoveThreshold=1", "-XX:-H2Auto")
                .main(ThousandsOfLabels.class, "unasked", "3800", "6").run().passed()
                .logged("Occupancy: 3800 of 3800 labels in [12]?[0-9] steps");
    }

    // Bug: Each label of 1 KiB took a region. 40,000 of them filled 8,192 regions with 8 MiB, and others had no room.
    // Situation: labels: thousands of labels have 1 KiB each. Outcome: they share regions.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW, fastdebug = {NARROW, WIDE_COMPACT})
    void smallLabelsShareRegions(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2Size=64m", "-XX:H2RegionSize=256k", "-XX:ParallelGCThreads=3").main(SmallLabels.class, "4000", "120")
                .run().passed().logged("Copied [0-9]+ labels in .* 39[0-9]{2} labels share regions");
    }

    // Bug: Nothing said that a label's root was dead, as the program did not use it any more.
    // Situation: labels: a root is dead when H2.moveNow collects. Outcome: the log says so.
    @Matrix(modes = {NARROW, WIDE})
    void moveNowSaysWhenNothingMoves(Setup setup) {
        JvmRun.of(setup).main(NothingMoves.class).run().passed()
                .logged("Nothing of label 17 moved: no living object is tagged with it")
                .logged("Nothing of label 18 moved: no living object is tagged with it")
                .loggedAtMost(1, "Nothing of label 19 moved");
    }

    @Matrix(file = NARROW, fastdebug = WIDE_COMPACT)
    void aFullOldGenerationMovesLargeArrays(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:H2MoveThreshold=0", "-XX:+H2Auto").main(AutoArrays.class).run().passed();
    }

    // Bug: Arrays that lay apart were claimed, and only workers that walked on gave them a place. Their headers stayed
    // cookies, which referred to the start of H2 from then on.
    // Situation: automatic arrays: a program that tags has no old objects walked. Outcome: the arrays are right.
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void largeArraysMoveBesideTags(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:H2Size=1g", "-XX:H2MoveThreshold=0", "-XX:ParallelGCThreads=3")
                .main(AutoArrays.class, "tagged").run().passed().loggedAtMost(0, "Auto: plain");
    }

    @Matrix(file = NARROW_COMPACT, fastdebug = {NARROW, WIDE_COMPACT})
    void groupsComeBack(Setup setup) {
        JvmRun.of(setup).flag("-Xbatch").main(Returning.class).run().passed();
    }

    // Bug: Code that was unloaded while its call site returned was unlinked from the old place. The copy's list of
    // dependent code then began with freed memory.
    @Matrix(modes = NARROW, fastdebug = WIDE_COMPACT)
    void callSitesComeBackWhileTheirCodeIsUnloaded(Setup setup) {
        JvmRun.of(setup).flag("-Xbatch").main(CallSites.class).run().passed();
    }

    // Bug: Bitmaps were cleared by giving their memory back, which the kernel refuses to a program that has locked
    // it. Later moves failed.
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void lockedMemory(Setup setup) {
        JvmRun.of(setup).flag("--enable-native-access=ALL-UNNAMED").main(LockedMemory.class).run().passed();
    }

    // Bug: A group that returned by itself lost its tags, and H2.moveNow did nothing for it.
    @Matrix(file = NARROW, fastdebug = {NARROW, WIDE_COMPACT})
    void groupsThatAreMostlyDeadComeBack(Setup setup) {
        // With two threads it depends on the machine in how many regions the head of the list lies.
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:ParallelGCThreads=1").main(DeadGroup.class).run().passed();
    }

    /** H2Verify reads all of H2 at each collection, after which most of what is in memory is not written. */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void groupsThatAreWrittenToAllTheTimeComeBack(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(HotGroup.class).run().passed()
                .logged("Label 1 is hot: of its \\d+K, the program wrote to \\d+K of \\d+K in memory, and \\d+K were compressed again");
    }

    // Bug: bytes that were compressed again were counted of all labels together. The program wrote to one group, and
    // another one returned, of which nothing had left memory since it was written to.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void aGroupThatWasWrittenToOnceStays(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(WrittenOnce.class).run().passed();
    }
}
