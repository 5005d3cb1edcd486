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
package org.ztera.demo.query;

import org.ztera.demo.index.Position;

/**
 * Collects the places that a query finds. Keeps a sum instead of the places, so that a query with a
 * million hits needs no memory, and the order in which shards are searched does not matter.
 */
final class Hits {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private long count;
    private long sum;

    void add(Position position) {
        add(position.file().path(), position.line(), position.column());
    }

    /** @param name a path or another name; @param first and @param second numbers that belong to it */
    void add(String name, long first, long second) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * FNV_PRIME;
        }
        hash = (hash ^ first) * FNV_PRIME;
        hash = (hash ^ second) * FNV_PRIME;
        count++;
        sum += hash ^ hash >>> 29;
    }

    Answer answer(Query query) {
        return new Answer(query.toString(), count, sum);
    }
}
