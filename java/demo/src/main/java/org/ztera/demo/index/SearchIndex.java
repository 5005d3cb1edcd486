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

import java.util.ArrayList;
import java.util.List;

/** The whole index: its shards, in the order in which they were added. */
public final class SearchIndex {
    private final List<Shard> shards = new ArrayList<>();

    public void add(Shard shard) {
        shards.add(shard);
    }

    /** Forgets all shards with a label; after this nothing in the index refers to them. */
    public void removeLabel(long label) {
        shards.removeIf(shard -> shard.label() == label);
    }

    public List<Shard> shards() {
        return shards;
    }
}
