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
package org.ztera.fuzz.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ztera.kit.Child;
import org.ztera.kit.HangRule;

/** A child hangs if its trace does not grow, for much CPU time or for very long without any. */
final class Progress implements HangRule {
    /** A child without progress that has used so much CPU time hangs; no program needs a tenth of it. In seconds. */
    private static final long BUSY = 120;
    /**
     * One that has used next to no CPU time for so long waits for itself; one that starves on a busy machine has used
     * some.
     */
    private static final Duration IDLE = Duration.ofMinutes(15);
    private static final long IDLE_CPU_SECONDS = 5;

    private final Path trace;
    private long size = -1;
    private long lastProgress = System.nanoTime();
    private Duration cpuThen = Duration.ZERO;

    /** @param trace the file that the child writes; exists */
    Progress(Path trace) {
        this.trace = trace;
    }

    @Override
    public boolean hangs(Child child) throws IOException {
        long sizeNow = Files.size(trace);
        Duration cpu = child.cpuTime();
        if (sizeNow != size) {
            size = sizeNow;
            lastProgress = System.nanoTime();
            cpuThen = cpu;
        }
        long used = cpu.minus(cpuThen).toSeconds();
        boolean waits = used < IDLE_CPU_SECONDS && System.nanoTime() - lastProgress > IDLE.toNanos();
        return waits || used > Long.getLong("fuzz.busySeconds", BUSY);
    }
}
