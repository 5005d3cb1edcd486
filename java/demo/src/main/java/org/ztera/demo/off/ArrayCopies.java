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

import java.util.Arrays;

/**
 * Copies of references from array to array: short and long pieces of old ones, within one as well, and whole new ones.
 */
final class ArrayCopies implements Work {
    private static final int LENGTH = 1 << 14;
    private static final int COPIES = 400_000;
    private static final int SHORT = 64;
    /** One copy in so many is long, and one in so many goes to a new array. */
    private static final int SELDOM = 64;

    private final Integer[] from = new Integer[LENGTH];
    private final Integer[] to = new Integer[LENGTH];

    ArrayCopies() {
        Arrays.setAll(from, i -> i);
        Arrays.setAll(to, i -> -i);
        System.gc();
    }

    @Override
    public long iterate(int number) {
        Mix mix = new Mix(number);
        long found = 0;
        for (int i = 0; i < COPIES; i++) {
            int length = 1 + mix.below(i % SELDOM == 0 ? LENGTH / 2 : SHORT);
            int source = mix.below(LENGTH - length);
            int target = mix.below(LENGTH - length);
            System.arraycopy(from, source, to, target, length);
            System.arraycopy(to, source, to, target, length);
            if (i % SELDOM == 1) {
                found += Arrays.copyOf(to, to.length)[target];
            }
        }
        for (Integer value : to) {
            found = found * 31 + value;
        }
        return found;
    }
}
