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
package org.ztera.demo.index;

/**
 * How much a shard, or the whole index, holds.
 *
 * @param files source files
 * @param characters of their texts
 * @param lines of their texts
 * @param symbols names per shard; one that occurs in several shards counts several times
 * @param positions uses of symbols
 * @param trigramPostings pairs of trigram and file
 */
public record ShardSize(
        long files, long characters, long lines, long symbols, long positions, long trigramPostings) {

    public static final ShardSize ZERO = new ShardSize(0, 0, 0, 0, 0, 0);

    public ShardSize plus(ShardSize other) {
        return new ShardSize(
                files + other.files,
                characters + other.characters,
                lines + other.lines,
                symbols + other.symbols,
                positions + other.positions,
                trigramPostings + other.trigramPostings);
    }
}
