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
import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.NARROW_COMPACT;
import static org.ztera.kit.OopMode.WIDE;
import static org.ztera.kit.OopMode.WIDE_COMPACT;

import org.ztera.jvmtests.child.ForcedCollections;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;
import org.ztera.jvmtests.stress.Stress;

/** A short turn of the stress program on the release VM; stress.sh gives it the time it deserves. */
class StressTest {
    @Matrix(file = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT})
    void randomMoves(Setup setup) {
        run(setup, "-XX:+H2Stress", "-XX:H2StressSeed=7");
    }

    /** Without random moves, all that the program gives up must be dead in the end. */
    @Matrix(file = NARROW)
    void onlyMovesThatWereAskedFor(Setup setup) {
        run(setup, "-XX:-H2Stress");
    }

    @Matrix(file = NARROW)
    void collectionsForcedByAllocation(Setup setup) {
        JvmRun.of(setup).flag("-Xmx256m", "-Xmn192m", "-XX:+H2Stress", "-XX:H2StressInterval=4m").main(ForcedCollections.class)
                .run().passed().line("^full collections: (1[6-9]|[23]\\d)$").line("^moved objects: [1-9]\\d*$");
    }

    /** The interval alone, without random moves to be made, forces nothing. */
    @Matrix(file = NARROW)
    void noCollectionsForcedWithoutRandomMoves(Setup setup) {
        JvmRun.of(setup).flag("-Xmx256m", "-Xmn192m", "-XX:H2StressInterval=4m").main(ForcedCollections.class)
                .run().passed().line("^full collections: 0$").line("^moved objects: 0$");
    }

    private static void run(Setup setup, String... flags) {
        JvmResult result = JvmRun.of(setup).flag("-Xmx192m", "-Xmn24m", "-XX:H2ResidentSize=8m").flag(flags)
                .main(Stress.class, "--operations", "30000", "--seed", "7").run();
        assertEquals(0, result.exitCode(), result::describe);
        result.line("^STRESS PASSED seed 7$");
    }
}
