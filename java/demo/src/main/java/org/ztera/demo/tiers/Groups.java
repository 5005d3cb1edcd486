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
 * Takes the groups that a workload has built, until there is enough data. Each is tagged, and asked to move to the
 * second heap, as far as the program has words for that; elsewhere nothing happens, and no collection either.
 */
public final class Groups {
    /** One for all: what lives and dies together shares regions, which are then full. */
    private static final long LABEL = 1;

    private final long wanted;
    private final Hints hints;
    private final Progress progress;
    private long bytes;

    /** @param wanted how much live data there should be; each group moves at once */
    Groups(long wanted) {
        this(wanted, Hints.tags(H2::moveNow));
    }

    /** @param wanted how much live data there should be; @param hints what the second heap is told of each group */
    public Groups(long wanted, Hints hints) {
        this.wanted = wanted;
        this.hints = hints;
        this.progress = new Progress("load", wanted);
    }

    /** How much live data there should be. */
    public long wantedBytes() {
        return wanted;
    }

    /** The words for the second heap; also for data that are built after loading. */
    public Hints hints() {
        return hints;
    }

    /** Whether another group is wanted. */
    public boolean wanted() {
        return bytes < wanted;
    }

    /** @param root of a group to which nothing will be added; @param size about how many bytes it is */
    public void finished(Object root, long size) {
        finished(root, LABEL, size);
    }

    /** The same of a group with a label of its own. */
    public void finished(Object root, long label, long size) {
        hints.tag(root, label);
        grown(label, size);
    }

    /** A group that is tagged already has grown by about so many bytes. */
    public void grown(long label, long size) {
        hints.move(label);
        bytes += size;
        progress.add(size, "");
    }
}
