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
package org.ztera.jvmtests.soak;

import org.ztera.jvmtests.child.H2Info;

/** After failures: memory is within its limits again, by itself. */
final class Recovery {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private Recovery() {}

    static void await() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            H2Info info = H2Info.read();
            if (info.value("resident_bytes") <= info.value("resident_limit") && info.value("mem_used_total") <= info.value("mem_limit")
                    && info.value("over_limit_bytes") == 0) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("memory stays above its limits: " + info.json());
            }
            Thread.sleep(20);
        }
    }
}
