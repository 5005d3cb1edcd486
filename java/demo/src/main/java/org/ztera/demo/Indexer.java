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

import java.io.IOException;
import java.util.List;
import org.ztera.demo.index.SearchIndex;
import org.ztera.demo.index.Shard;
import org.ztera.demo.index.ShardBuilder;
import org.ztera.demo.source.ShardPlan;

/** Fills the index shard by shard, and replaces the shards of single areas. An area's number is its label. */
final class Indexer {
    private final List<ShardPlan.Area> areas;
    private final Placement placement;
    private final ShardBuilder builder = new ShardBuilder();
    private final SearchIndex index = new SearchIndex();

    Indexer(List<ShardPlan.Area> areas, Placement placement) {
        this.areas = areas;
        this.placement = placement;
    }

    SearchIndex index() {
        return index;
    }

    /** Indexes all areas. */
    void load() throws IOException {
        Progress progress = new Progress("load", areas.stream().mapToLong(ShardPlan.Area::bytes).sum());
        for (int area = 0; area < areas.size(); area++) {
            load(area, progress);
        }
    }

    /** The number of the first area that holds a file whose path begins with {@code prefix}, or -1. */
    int find(String prefix) {
        for (int area = 0; area < areas.size(); area++) {
            if (areas.get(area).holds(prefix)) {
                return area;
            }
        }
        return -1;
    }

    /** Forgets an area's shards; the next full collection finds them dead. */
    void drop(int area) {
        index.removeLabel(area);
    }

    /** Indexes one area (again). */
    void reload(int area) throws IOException {
        load(area, new Progress("reindex", areas.get(area).bytes()));
    }

    private void load(int area, Progress progress) throws IOException {
        for (ShardPlan.Part part : areas.get(area).parts()) {
            Shard shard = builder.build(part, area, bytes -> progress.add(bytes, part.name()));
            index.add(shard);
            placement.place(shard);
        }
    }
}
