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

import org.ztera.jvmtests.child.DirectMemory;
import org.ztera.jvmtests.child.LastChance;
import org.ztera.jvmtests.child.ManyCollections;
import org.ztera.jvmtests.child.OneByOne;
import org.ztera.jvmtests.child.WeakKeys;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/**
 * The program is told when single objects of a group in H2 die, as on any JVM, and what it waits for comes in time.
 * Bug: references to H2 counted as strong until an OutOfMemoryError was due, when it was too late to drop what hangs on
 * them.
 */
class OneByOneTest {
    private static final String LOOK = "Looking through H2: ";

    /**
     * Situation: weak references: a WeakHashMap has keys in H2 and values in a small heap. Outcome: values of dead keys
     * go.
     */
    @Matrix(modes = WIDE_COMPACT, file = NARROW, fastdebug = NARROW)
    void valuesOfDeadWeakKeysLeaveTheHeap(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Auto").main(WeakKeys.class).run().passed()
                .logged(LOOK + "H1 fills up").loggedAtMost(50, LOOK);
    }

    /**
     * Situation: weak references: half of 8,000 objects of a group die, with cleaners and queues. Outcome: one
     * System.gc() clears and enqueues, cleaners run.
     */
    @Matrix(file = WIDE, fastdebug = {NARROW, NARROW_COMPACT})
    void oneCollectionClearsWhatRefersToDeadObjects(Setup setup) {
        JvmRun.of(setup).flag("-XX:SoftRefLRUPolicyMSPerMB=0").main(OneByOne.class).run().passed()
                .logged(LOOK + "a collection was asked for");
    }

    /**
     * Situation: memory beside the heap: owners of direct buffers lie in H2 and are replaced one by one. Outcome:
     * within MaxDirectMemorySize.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW, fastdebug = NARROW)
    void deadDirectBuffersFreeTheirMemory(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:MaxDirectMemorySize=64m").main(DirectMemory.class).run().passed()
                .logged(LOOK + "memory beside the heap is short");
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void deadDirectBuffersThatMovedLaterFreeTheirMemory(Setup setup) {
        JvmRun.of(setup).flag("-Xmx64m", "-XX:MaxDirectMemorySize=64m").main(DirectMemory.class, "again").run().passed();
    }

    /** Situation: weak references: a program calls System.gc() in a loop. Outcome: at most two looks through H2. */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void collectionsWithoutAnyChangeLookOnce(Setup setup) {
        JvmRun.of(setup).main(ManyCollections.class, "idle").run().passed().loggedAtMost(2, LOOK);
    }

    /**
     * It looks after 1, 2, 4 and then each 8 of 40 collections. A reference of the JDK's own that is cleared meanwhile
     * starts this anew.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void looksThatFindNothingComeMoreRarely(Setup setup) {
        JvmRun.of(setup).main(ManyCollections.class, "busy").run().passed().logged(LOOK).loggedAtMost(12, LOOK);
    }

    /**
     * Situation: weak references: a thread must take references from a queue before the heap has room. Outcome: it
     * gets its turn before an OutOfMemoryError.
     */
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void threadsThatWaitForReferencesComeBeforeAnOutOfMemoryError(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Auto").main(LastChance.class).run().passed().logged("Before an OutOfMemoryError: looks have cleared");
    }
}
