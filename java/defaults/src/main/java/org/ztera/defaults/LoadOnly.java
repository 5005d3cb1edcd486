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
package org.ztera.defaults;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.ztera.H2;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Workload;

/** A program without its queries, where only its data matter. */
record LoadOnly(Workload program) implements Workload {
    private static final long PAUSE_NANOS = 10_000_000;

    @Override
    public void load(Groups groups) throws IOException {
        program.load(groups);
        // Objects that were tagged last, too, move and are compressed before they are weighed.
        System.gc();
        while (H2.stats().stagedBytes() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public int operations() {
        return 0;
    }

    @Override
    public long operate(int number) {
        throw new IllegalStateException("there are no queries");
    }
}
