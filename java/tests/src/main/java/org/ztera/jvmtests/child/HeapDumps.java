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
package org.ztera.jvmtests.child;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Writes heap dumps of live and of all objects; the parent reads and judges them. */
public final class HeapDumps {
    private HeapDumps() {}

    public static void main(String[] args) {
        Child.main(() -> {
            Population.create();
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            bean.dumpHeap("live.hprof", true);
            bean.dumpHeap("all.hprof", false);
            Population.check();
            // For the parent's turn: jcmd, which can dump with several threads.
            Child.ready();
            Population.check();
        });
    }
}
