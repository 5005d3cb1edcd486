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
import java.util.Map;

/**
 * Full collections of a graph of small objects, of which a part is replaced before each, so that there are gaps to
 * close.
 */
final class FullCollections implements Work {
    private static final int TREES = 1000;
    private static final int DEPTH = 10;
    private static final int REPLACED = TREES / 10;

    private static final class Tree {
        final Tree left;
        final Tree right;
        final Object value;
        Tree neighbour;

        Tree(int depth, long value) {
            this.left = depth == 0 ? null : new Tree(depth - 1, value * 2);
            this.right = depth == 0 ? null : new Tree(depth - 1, value * 2 + 1);
            this.value = depth == 3 ? Map.of("value", value) : Long.valueOf(value);
        }

        long sum() {
            return left == null ? value.hashCode() : left.sum() * 2 + right.sum();
        }
    }

    private final Map<Integer, Tree> trees = new HashMap<>();

    FullCollections() {
        for (int i = 0; i < TREES; i++) {
            trees.put(i, new Tree(DEPTH, i));
        }
    }

    @Override
    public long iterate(int number) {
        Mix mix = new Mix(number);
        long found = 0;
        for (int i = 0; i < REPLACED; i++) {
            int at = mix.below(TREES);
            Tree old = trees.put(at, new Tree(DEPTH, number + at));
            trees.get(at).neighbour = trees.get(mix.below(TREES)).left;
            found += old.sum();
        }
        System.gc();
        return found;
    }
}
