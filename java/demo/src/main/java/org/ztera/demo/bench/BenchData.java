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
package org.ztera.demo.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ztera.demo.index.Shard;
import org.ztera.demo.index.ShardBuilder;
import org.ztera.demo.source.ShardPlan;
import org.ztera.demo.source.SourceFile;

/** The live data that gets moved. */
enum BenchData {
    /** Arrays of 1 MiB, full of source text: what a cache of buffers or columns looks like. */
    ARRAYS {
        @Override
        Object build(long bytes, List<SourceFile> source) throws IOException {
            return Blocks.of(Math.toIntExact(bytes / Blocks.BLOCK_BYTES), source).blocks;
        }
    },
    /** The demo's index: millions of small objects that refer to each other. */
    OBJECTS {
        @Override
        Object build(long bytes, List<SourceFile> source) throws IOException {
            List<Shard> shards = new ArrayList<>();
            ShardBuilder builder = new ShardBuilder();
            for (ShardPlan.Area area : ShardPlan.of(source, PART_BYTES, bytes * 10 / LIVE_PER_10_SOURCE_BYTES)) {
                for (ShardPlan.Part part : area.parts()) {
                    shards.add(builder.build(part, 0, _ -> {}));
                }
            }
            return shards;
        }
    },
    /** Half arrays, half lines of text as small objects: quick to make. */
    MIXED {
        @Override
        Object build(long bytes, List<SourceFile> source) throws IOException {
            return Mixed.of(bytes, source);
        }
    };

    private static final long PART_BYTES = 4 << 20;
    /** Ten bytes of OpenJDK's source become 54 bytes of index, their text included. */
    private static final long LIVE_PER_10_SOURCE_BYTES = 54;

    /**
     * @param bytes about how much it should be
     * @return the root of it
     */
    abstract Object build(long bytes, List<SourceFile> source) throws IOException;

    static BenchData named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
