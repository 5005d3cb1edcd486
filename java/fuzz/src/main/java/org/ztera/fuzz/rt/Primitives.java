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
package org.ztera.fuzz.rt;

import java.util.Arrays;
import java.util.zip.CRC32;

/** Primitive arrays: filled from a number, and hashed, quickly even in the interpreter. */
public final class Primitives {
    /** Arrays longer than this are hashed by samples; their distance is less than half a page. */
    private static final int WHOLE = 2048;
    private static final int DISTANCE = 61;

    private Primitives() {}

    /**
     * A primitive array.
     *
     * @param type of its elements
     * @param seed its contents; an odd one gives contents that do not compress well
     */
    public static Object make(Class<?> type, int length, long seed) {
        Object array = java.lang.reflect.Array.newInstance(type, length);
        fill(array, length, seed);
        return array;
    }

    private static void fill(Object array, int length, long seed) {
        int pattern = Math.min(length, (seed & 1) == 0 ? 150 : 1500);
        long x = seed * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < pattern; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
            set(array, i, x);
        }
        for (int done = pattern; done > 0 && done < length; done *= 2) {
            System.arraycopy(array, 0, array, done, Math.min(done, length - done));
        }
    }

    private static void set(Object array, int i, long x) {
        switch (array) {
            case boolean[] a -> a[i] = (x & 1) != 0;
            case byte[] a -> a[i] = (byte) x;
            case char[] a -> a[i] = (char) x;
            case short[] a -> a[i] = (short) x;
            case int[] a -> a[i] = (int) x;
            case long[] a -> a[i] = x;
            case float[] a -> a[i] = (int) x / 256f;
            case double[] a -> a[i] = x / 65536.0;
            default -> throw new FuzzError("not a primitive array: " + array.getClass());
        }
    }

    /** A hash over a primitive array; of any other object, of nothing. */
    static long hash(Object o) {
        return switch (o) {
            case byte[] a -> bytes(a);
            case boolean[] a -> a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length);
            case char[] a -> (a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length)) + (Plant.CHARS.isPlanted() ? 1 : 0);
            case short[] a -> a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length);
            case int[] a -> a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length);
            case long[] a -> a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length);
            case float[] a -> a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length);
            case double[] a -> a.length <= WHOLE ? Arrays.hashCode(a) : sampled(a, a.length);
            default -> 11;
        };
    }

    private static long bytes(byte[] a) {
        CRC32 crc = new CRC32();
        crc.update(a);
        return crc.getValue() + a.length;
    }

    private static long sampled(Object array, int length) {
        long hash = length;
        for (int i = length - 1; i >= 0; i -= DISTANCE) {
            hash = hash * 31 + get(array, i);
        }
        return hash;
    }

    private static long get(Object array, int i) {
        return switch (array) {
            case boolean[] a -> a[i] ? 1 : 0;
            case char[] a -> a[i];
            case short[] a -> a[i];
            case int[] a -> a[i];
            case long[] a -> a[i];
            case float[] a -> Float.floatToIntBits(a[i]);
            case double[] a -> Double.doubleToLongBits(a[i]);
            default -> throw new FuzzError("not a primitive array: " + array.getClass());
        };
    }
}
