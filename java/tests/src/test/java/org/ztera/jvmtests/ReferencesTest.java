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

import org.ztera.jvmtests.child.BackwardKeepsAlive;
import org.ztera.jvmtests.child.CompiledConstants;
import org.ztera.jvmtests.child.FullBackward;
import org.ztera.jvmtests.child.LargeArrays;
import org.ztera.jvmtests.child.PromotedFar;
import org.ztera.jvmtests.child.RegionDependencies;
import org.ztera.jvmtests.child.VirtualThreads;
import org.ztera.jvmtests.child.YoungBackward;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** References between the heaps and between regions. */
class ReferencesTest {
    @Matrix(file = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT}, fastdebug = {NARROW, WIDE_COMPACT})
    void youngObjectsThatH2RefersTo(Setup setup) {
        JvmRun.of(setup).main(YoungBackward.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void whatH2RefersToIsPromotedAtOnce(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(PromotedFar.class).run().passed();
    }

    /** Each of the interpreter and the two compilers has its own form of the store barrier. */
    @Matrix(modes = {NARROW, WIDE})
    void youngObjectsStoredByTheInterpreter(Setup setup) {
        JvmRun.of(setup).flag("-Xint").main(YoungBackward.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE})
    void youngObjectsStoredByTheFirstCompiler(Setup setup) {
        JvmRun.of(setup).flag("-XX:TieredStopAtLevel=1").main(YoungBackward.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE})
    void youngObjectsStoredByTheSecondCompiler(Setup setup) {
        JvmRun.of(setup).flag("-XX:-TieredCompilation").main(YoungBackward.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE_COMPACT}, fastdebug = {NARROW_COMPACT, WIDE})
    void oldObjectsThatH2RefersTo(Setup setup) {
        JvmRun.of(setup).main(FullBackward.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = NARROW)
    void backwardReferencesKeepAliveNoLongerThanTheRegion(Setup setup) {
        JvmRun.of(setup).main(BackwardKeepsAlive.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE}, fastdebug = {NARROW, WIDE})
    void regionsDependOnRegions(Setup setup) {
        JvmRun.of(setup).main(RegionDependencies.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE}, fastdebug = {NARROW, WIDE_COMPACT})
    void arraysLargerThanARegion(Setup setup) {
        JvmRun.of(setup).main(LargeArrays.class).run().passed();
    }

    @Matrix(file = WIDE, fastdebug = NARROW)
    void compiledCodeHoldsH2Constants(Setup setup) {
        JvmRun.of(setup).main(CompiledConstants.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = {NARROW, WIDE_COMPACT})
    void parkedVirtualThreadsHoldH2Objects(Setup setup) {
        JvmRun.of(setup).main(VirtualThreads.class).run().passed();
    }
}
