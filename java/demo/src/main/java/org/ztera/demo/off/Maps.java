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
package org.ztera.demo.off;

import java.util.HashMap;
import java.util.TreeMap;

/**
 * A window of entries that moves on over a hash map and a tree: each lives long enough to be promoted, and dies in the
 * old generation, which young ones are stored into all the time.
 */
final class Maps implements Work {
    private static final int WINDOW = 30_000;
    private static final int STEP = 60_000;

    private final HashMap<Long, long[]> hashed = new HashMap<>();
    private final TreeMap<String, Long> sorted = new TreeMap<>();

    @Override
    public long iterate(int number) {
        long found = 0;
        for (long i = (long) number * STEP; i < (number + 1L) * STEP; i++) {
            long key = key(i);
            hashed.put(key, new long[] {i, key});
            sorted.put(Long.toHexString(key), i);
            if (i >= WINDOW) {
                long gone = key(i - WINDOW);
                found += hashed.remove(gone)[0] + sorted.remove(Long.toHexString(gone));
            }
        }
        return found * 31 + hashed.size() + sorted.firstEntry().getValue();
    }

    private static long key(long number) {
        return new Mix(number).next();
    }
}
