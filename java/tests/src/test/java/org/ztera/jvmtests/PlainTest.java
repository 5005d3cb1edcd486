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
import org.ztera.jvmtests.child.MarkedAhead;
import org.ztera.jvmtests.child.ReferencesMove;
import org.ztera.jvmtests.child.Untagged;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** Programs without a tag: whatever is old moves when H1 is short of room, and only then. */
class PlainTest {
    private static JvmRun plain(Setup setup) {
        return JvmRun.of(setup).flag("-Xmx64m", "-XX:H2Size=1g", "-XX:H2RegionSize=0");
    }

    // Bug: Only tagged groups and large arrays moved. A map of small objects ended in an OutOfMemoryError.
    // Situation: no tags: a map of small records is larger than the heap. Outcome: it moves, and lookups are right.
    @Matrix(modes = {NARROW, WIDE}, fastdebug = {NARROW_COMPACT, WIDE_COMPACT})
    void aMapOfRecordsIsLargerThanTheHeap(Setup setup) {
        plain(setup).flag("-XX:-H2Verify").main(Untagged.class, "records", "600000").run().passed().logged("Auto: plain, ");
    }

    // Situation: no tags: a concurrent map of strings and byte arrays is larger than the heap. Outcome: it moves to H2.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void aMapOfByteArraysIsLargerThanTheHeap(Setup setup) {
        plain(setup).flag("-XX:-H2Verify").main(Untagged.class, "values", "120000").run().passed();
    }

    // Bug: Nodes of a map that grows moved before the program had written to one. Later each write brought in a page.
    // Situation: no tags: a map grows. Outcome: its nodes stay, and its keys and values move.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void nodesOfAMapThatGrowsStay(Setup setup) {
        plain(setup).flag("-XX:-H2Verify").main(Untagged.class, "nodes", "240000").run().passed()
                .logged("Auto: objects of 1 classes stay");
    }

    // Bug: Nodes of a list lay beside their contents. Each use of a cache's entry brought in those of its neighbours.
    // Situation: no tags: a map in the order of use is larger than memory. Outcome: uses of its entries hardly fault.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void nodesLieApartFromTheirContents(Setup setup) {
        plain(setup).flag("-XX:-H2Verify", "-XX:H2MemoryLimit=192m").main(Untagged.class, "recent", "120000").run().passed();
    }

    // Bug: An object that was read all the time brought in its unit again and again, as the rest of the unit was cold.
    // Situation: no tags: few entries of a map are read often. Outcome: they come back to H1, and reads are right.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = {NARROW_COMPACT, WIDE})
    void hotObjectsComeBack(Setup setup) {
        plain(setup).flag("-XX:H2ResidentSize=4m").main(Untagged.class, "hot", "60000").run().passed()
                .logged("Hot objects come back to H1");
    }

    @Matrix(modes = NARROW_COMPACT, fastdebug = {NARROW, WIDE_COMPACT})
    void whatMovesWithoutTagsIsVerified(Setup setup) {
        plain(setup).flag("-Xmx32m", "-Xmn8m").main(Untagged.class, "records", "250000").run().passed();
    }

    // Bug: Garbage in H2 was looked for only when something found no room, and then H2 had twice what lives.
    // Situation: no tags: a cache replaces its contents ten times. Outcome: it keeps to the limit, H2 to what lives.
    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void aCacheReplacesItsContents(Setup setup) {
        plain(setup).flag("-XX:-H2Verify", "-XX:H2MemoryLimit=256m").main(Untagged.class, "cache", "400000").run().passed()
                .logged("it has grown, and a look is cheap");
    }

    // Marks are dropped after a second without a full GC, and verification takes longer. H2Stress verifies such looks.
    // Situation: no tags: data grow, and others are exchanged. Outcome: looks begin with marks made beside the program.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW_COMPACT)
    void looksBeginWithWhatWasMarkedBesideTheProgram(Setup setup) {
        plain(setup).flag("-Xmx32m", "-Xmn8m", "-XX:-H2Verify").main(MarkedAhead.class, "5000000").run().passed()
                .logged("This look begins with what was marked beside the program");
    }

    // Situation: no tags: weak and soft references move, and some of their referents die. Outcome: they are cleared.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = {NARROW_COMPACT, WIDE})
    void referencesMoveWithWhatTheyReferTo(Setup setup) {
        plain(setup).flag("-Xmx24m").main(ReferencesMove.class, "exact", "120000").run().passed();
    }

    // Situation: no tags: soft references move, and more than fits hangs on them. Outcome: some are cleared in time.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void softReferencesInH2MakeRoom(Setup setup) {
        plain(setup).flag("-Xmx24m", "-XX:H2Size=32m").main(ReferencesMove.class, "soft", "100000").run().passed();
    }

    // Situation: no tags: a program drops all that has moved. Outcome: its memory is free after System.gc().
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void whatMovedIsDropped(Setup setup) {
        plain(setup).flag("-XX:-H2Verify").main(Untagged.class, "drops", "300000").run().passed();
    }

    // Situation: no tags: all that lives fits into the heap. Outcome: nothing moves.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void whatFitsStays(Setup setup) {
        plain(setup).flag("-Xmx128m").main(Untagged.class, "fits", "200000").run().passed();
    }

    // Bug: README promised that large arrays move once they are old. They do not while the old generation has room.
    // Situation: no tags: large arrays take 70 % of the old generation, or over 90 %. Outcome: they stay, or move.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void largeArraysStayBelowTheThreshold(Setup setup) {
        plain(setup).flag("-Xmx48m").main(AutoArrays.class, "stay").run().passed();
        plain(setup).flag("-Xmx40m").main(AutoArrays.class, "some").run().passed();
    }

    @Matrix(modes = NARROW, fastdebug = WIDE)
    void h2AutoSwitchesItOff(Setup setup) {
        plain(setup).flag("-XX:-H2Auto", "-XX:-H2Verify").main(Untagged.class, "fits", "100000").run().passed();
    }
}
