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
package org.ztera.demo;

import java.util.Locale;
import org.ztera.H2;
import org.ztera.demo.index.Shard;

/** The treatment of a shard once it is built. On a JVM without a second heap all three are the same. */
enum Placement {
    /** Leave it in the first heap. */
    OFF {
        @Override
        void place(Shard shard) {
        }
    },
    /** Let the next full collection move it, whenever that comes. */
    LATER {
        @Override
        void place(Shard shard) {
            H2.tag(shard, shard.label());
            H2.move(shard.label());
        }
    },
    /**
     * Move it at once. The better choice here: this pause has one shard to mark and copy, and the first
     * heap then needs room for one shard only. Waiting would let young collections copy the shard a few
     * times, and the full collection that comes in the end would find several to move in one pause.
     */
    NOW {
        @Override
        void place(Shard shard) {
            H2.tag(shard, shard.label());
            H2.moveNow(shard.label());
        }
    };

    abstract void place(Shard shard);

    static Placement named(String name) {
        for (Placement placement : values()) {
            if (placement.name().toLowerCase(Locale.ROOT).equals(name)) {
                return placement;
            }
        }
        throw new IllegalArgumentException("--place needs now, later or off, not " + name);
    }
}
