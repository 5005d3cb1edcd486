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
package org.ztera.spark;

/**
 * Decides whether a full collection that moves blocks to H2 is worth its pause. It is, until one leaves most of the
 * blocks in H1: then H2 has no room, and Spark evicts. The gate opens again when there may be room.
 * Not thread-safe: the caller holds the memory manager's lock.
 */
final class MoveGate {
    /**
     * State of the store when it needs room in H1. All but the count are bytes.
     *
     * @param movable blocks in H1 that may move
     * @param inH2 blocks in H2, by Spark's estimate
     * @param regionsFreed how many regions of H2 have died since the JVM's start
     * @param evicted what Spark has evicted since the store's start
     * @param turnover after that much was evicted, a refusal is old: other data is cached
     */
    record View(long movable, long inH2, long regionsFreed, long evicted, long turnover) {
    }

    /** The store when the last move was refused, as it looked afterwards; null while none is. */
    private View refused;

    boolean isOpen(View now) {
        if (now.movable() <= 0) {
            return false;
        }
        return refused == null || now.inH2() < refused.inH2() || now.regionsFreed() > refused.regionsFreed()
                || now.evicted() - refused.evicted() >= refused.turnover();
    }

    /** Notes that H2 holds more than it may keep: a move would add to that. */
    void refuse(View now) {
        refused = now;
    }

    /** Notes what a move came to: {@code movable} of {@code before} and {@code after} tells how much stayed. */
    void moved(View before, View after) {
        refused = after.movable() > before.movable() / 2 ? after : null;
    }
}
