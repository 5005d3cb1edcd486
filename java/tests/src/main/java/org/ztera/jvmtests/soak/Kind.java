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
package org.ztera.jvmtests.soak;

/** The looks of a stripe of words to a codec. Each word follows from the stripe's seed and its index. */
enum Kind {
    /** One word, repeated. */
    SAME {
        @Override
        long word(long seed, int i) {
            return seed;
        }
    },
    /** A third of its size, or less. */
    TAME {
        @Override
        long word(long seed, int i) {
            return (mix(seed + (i >> 1)) & 0xffff) * 0x0001_0000_0001L;
        }
    },
    /** Just compressible: what a denser codec is for. */
    LETTERS {
        @Override
        long word(long seed, int i) {
            return mix(seed + i) & 0x0f0f_0f0f_0f0f_0f0fL;
        }
    },
    /** Incompressible. */
    NOISE {
        @Override
        long word(long seed, int i) {
            return mix(seed + i);
        }
    };

    abstract long word(long seed, int i);

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
