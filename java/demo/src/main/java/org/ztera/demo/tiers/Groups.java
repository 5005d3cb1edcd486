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

import java.util.function.LongConsumer;
import org.ztera.H2;
import org.ztera.demo.Progress;

/**
 * Takes the groups that a workload has built, until there is enough data. Each is tagged, and asked to move to the
 * second heap, if there is one; elsewhere nothing happens, and no collection either.
 */
public final class Groups {
    /** One for all: what lives and dies together shares regions, which are then full. */
    private static final long LABEL = 1;

    private final long wanted;
    private final LongConsumer move;
    private final Progress progress;
    private long bytes;

    /** @param wanted how much live data there should be; each group moves at once */
    Groups(long wanted) {
        this(wanted, H2::moveNow);
    }

    /** @param wanted how much live data there should be; @param move asks for a label's groups to be moved */
    public Groups(long wanted, LongConsumer move) {
        this.wanted = wanted;
        this.move = move;
        this.progress = new Progress("load", wanted);
    }

    /** How much live data there should be. */
    public long wantedBytes() {
        return wanted;
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
        H2.tag(root, label);
        grown(label, size);
    }

    /** A group that is tagged already has grown by about so many bytes. */
    public void grown(long label, long size) {
        move.accept(label);
        bytes += size;
        progress.add(size, "");
    }
}
