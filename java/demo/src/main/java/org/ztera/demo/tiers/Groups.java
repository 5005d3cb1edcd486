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
package org.ztera.demo.tiers;

import org.ztera.H2;
import org.ztera.demo.Progress;

/**
 * Takes the groups that a workload has built, until there is enough data. Each moves to the second heap at once, if there is
 * one; elsewhere nothing happens, and no collection either.
 */
final class Groups {
    /** One for all: what lives and dies together shares regions, which are then full. */
    private static final long LABEL = 1;

    private final long wanted;
    private final Progress progress;
    private long bytes;

    /** @param wanted how much live data there should be */
    Groups(long wanted) {
        this.wanted = wanted;
        this.progress = new Progress("load", wanted);
    }

    /** How much live data there should be. */
    long wantedBytes() {
        return wanted;
    }

    /** Whether another group is wanted. */
    boolean wanted() {
        return bytes < wanted;
    }

    /** @param root of a group to which nothing will be added; @param size about how many bytes it is */
    void finished(Object root, long size) {
        H2.tag(root, LABEL);
        H2.moveNow(LABEL);
        bytes += size;
        progress.add(size, "");
    }
}
