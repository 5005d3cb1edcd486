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
package org.ztera.jvmtests.stress;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/** The kinds of payload: how each is made from a seed, changed in place, and judged. */
final class Payloads {
    static final byte NONE = 0;
    static final byte BYTES = 1;
    static final byte LONGS = 2;
    static final byte TEXT = 3;
    static final byte BOX = 4;
    static final byte MAP = 5;
    static final byte LIST = 6;
    static final byte LAMBDA = 7;
    static final byte GENERATED = 8;
    /** Kinds below this one refer to no cell. */
    static final byte FAN = 9;
    static final byte PAIR = 10;
    static final byte WEAK = 11;
    static final byte SOFT = 12;
    static final int KINDS = 13;

    /** A cell and a number, as a record. */
    record Pair(Cell cell, long number) {}

    private Payloads() {}

    /** A payload of a kind that refers to no cell. */
    static Object make(byte kind, long seed) {
        return switch (kind) {
            case NONE -> null;
            case BYTES -> {
                byte[] bytes = new byte[length(seed)];
                fill(bytes, seed);
                yield bytes;
            }
            case LONGS -> {
                long[] longs = new long[length(seed) / 8];
                fill(longs, seed);
                yield longs;
            }
            case TEXT -> text(seed);
            case BOX -> (seed & 1) == 0 ? Long.valueOf(seed) : (Object) Double.valueOf(seed);
            case MAP -> map(seed);
            case LIST -> list(seed);
            case LAMBDA -> (LongUnaryOperator) x -> x ^ seed;
            case GENERATED -> GeneratedClasses.instance(seed);
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    /** A reference payload; the seed is the uid of the cell it refers to. */
    static Object reference(byte kind, Cell cell) {
        return switch (kind) {
            case PAIR -> new Pair(cell, cell.uid);
            case WEAK -> new WeakReference<>(cell);
            case SOFT -> new SoftReference<>(cell);
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    /** Gives a payload new contents in place; false if this kind cannot change. */
    static boolean change(byte kind, Object payload, long oldSeed, long newSeed) {
        switch (kind) {
            case BYTES -> fill((byte[]) payload, newSeed);
            case LONGS -> fill((long[]) payload, newSeed);
            case MAP -> {
                @SuppressWarnings("unchecked")
                Map<String, Long> map = (Map<String, Long>) payload;
                map.clear();
                map.putAll(map(newSeed));
            }
            case LIST -> {
                @SuppressWarnings("unchecked")
                List<Object> list = (List<Object>) payload;
                list.clear();
                list.addAll(list(newSeed));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Whether a payload that refers to no cell is what the seed says. */
    static boolean isRight(byte kind, long seed, Object payload) {
        return switch (kind) {
            case NONE -> payload == null;
            case BYTES -> rightBytes((byte[]) payload, seed);
            case LONGS -> rightLongs((long[]) payload, seed);
            case TEXT, BOX, MAP, LIST -> make(kind, seed).equals(payload);
            case LAMBDA -> ((LongUnaryOperator) payload).applyAsLong(77) == (77 ^ seed);
            case GENERATED -> ((LongUnaryOperator) payload).applyAsLong(77) == GeneratedClasses.expected(seed, 77);
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    /** Mostly small, at times several pages, now and then larger than a region of 1 MiB. The seed's low bits say. */
    private static int length(long seed) {
        int size = (int) (seed >>> 8 & 0xffff);
        int choice = (int) (seed & 0xff);
        if (choice < 200) {
            return size & 0xff;
        }
        if (choice < 250) {
            return size & 0x1fff;
        }
        return choice < 255 ? size : 1_100_000 + size * 8;
    }

    /** Seeds of in-place changes keep the length, which the low 24 bits determine. */
    static long sameLength(long oldSeed, long random) {
        return random << 24 | oldSeed & 0xffffff;
    }

    /** Three in four are compressible. */
    private static void fill(byte[] bytes, long seed) {
        if ((seed >>> 24 & 3) == 0) {
            SplittableRandom random = new SplittableRandom(seed);
            random.nextBytes(bytes);
        } else {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i / 9 + seed);
            }
        }
    }

    private static boolean rightBytes(byte[] bytes, long seed) {
        byte[] expected = new byte[length(seed)];
        fill(expected, seed);
        return Arrays.equals(expected, bytes);
    }

    private static void fill(long[] longs, long seed) {
        for (int i = 0; i < longs.length; i++) {
            longs[i] = seed * i;
        }
    }

    private static boolean rightLongs(long[] longs, long seed) {
        if (longs.length != length(seed) / 8) {
            return false;
        }
        for (int i = 0; i < longs.length; i++) {
            if (longs[i] != seed * i) {
                return false;
            }
        }
        return true;
    }

    private static String text(long seed) {
        return ((seed & 1) == 0 ? "text " : "Größe € ") + seed + "-".repeat((int) (seed >>> 8 & 0x3f));
    }

    private static Map<String, Long> map(long seed) {
        Map<String, Long> map = new HashMap<>();
        for (int i = 0; i < (seed & 0xf); i++) {
            map.put("key " + (seed + i), seed * i);
        }
        return map;
    }

    private static List<Object> list(long seed) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < (seed & 0x1f); i++) {
            list.add(i % 2 == 0 ? "element " + (seed ^ i) : (Object) (seed - i));
        }
        return list;
    }
}
