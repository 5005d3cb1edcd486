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

import org.ztera.jvmtests.child.IdentityHashes;
import org.ztera.jvmtests.child.Monitors;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** The state in an object's header survives the move. */
class HeaderTest {
    @Matrix(modes = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT}, file = {NARROW, NARROW_COMPACT},
        fastdebug = {NARROW, NARROW_COMPACT})
    void identityHashes(Setup setup) {
        JvmRun.of(setup).main(IdentityHashes.class).run().passed();
    }

    @Matrix(modes = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT}, file = {NARROW, WIDE_COMPACT},
        fastdebug = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT})
    void monitors(Setup setup) {
        JvmRun.of(setup).main(Monitors.class).run().passed();
    }

    /** With the table of monitors, which compact headers bring, in the other layouts too, and the reverse. */
    @Matrix(modes = {NARROW, WIDE})
    void monitorsInATable(Setup setup) {
        JvmRun.of(setup).flag("-XX:+UseObjectMonitorTable").main(Monitors.class).run().passed();
    }
}
