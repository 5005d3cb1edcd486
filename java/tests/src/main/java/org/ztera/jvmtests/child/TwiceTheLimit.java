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
package org.ztera.jvmtests.child;

import java.util.Arrays;
import java.util.Random;
import org.ztera.H2;

/**
 * Groups that together are more than the memory limit, and a third of it when they are compressed, move as the ordinary
 * heap fills. It used to end with an OutOfMemoryError: room was decided by the size of the data before compression.
 */
public final class TwiceTheLimit {
    private static final int GROUPS = 40;
    private static final int ARRAYS = 100;
    private static final int BYTES = 100_000;
    /** Of as many bytes, the first few are random. */
    private static final int PERIOD = 1000;
    private static final int RANDOM = 150;

    /** Whether each array leaves a dead one of its size: the young generation then has pages that nobody needs. */
    private static final boolean LITTERS = Boolean.getBoolean("litters");

    private static byte[][][] groups = new byte[GROUPS][][];
    private static volatile byte[] litter;

    private TwiceTheLimit() {}

    public static void main(String[] args) {
        Child.main(TwiceTheLimit::test);
    }

    private static void test() {
        fill();
        Child.fullGc();
        if (Child.h2()) {
            H2Info info = H2Info.read();
            H2Stats.atLeast(info.value("limit_bytes") * 3 / 2, H2Stats.used(), "bytes in H2");
        }
        checkAll();
    }

    /** Makes the groups: 400 MB, of which a codec leaves about a sixth. */
    static void fill() {
        for (int g = 0; g < GROUPS; g++) {
            groups[g] = new byte[ARRAYS][];
            H2.tag(groups[g], g);
            for (int i = 0; i < ARRAYS; i++) {
                groups[g][i] = array(g * ARRAYS + i);
                litter = LITTERS ? new byte[BYTES] : null;
            }
            H2.move(g);
        }
    }

    /** Fails if one of them has changed. */
    static void checkAll() {
        for (int g = 0; g < GROUPS; g++) {
            for (int i = 0; i < ARRAYS; i++) {
                check(groups[g][i], g * ARRAYS + i);
            }
        }
    }

    private static byte[] array(int seed) {
        byte[] array = new byte[BYTES];
        Random random = new Random(seed);
        for (int at = 0; at < BYTES; at += PERIOD) {
            for (int i = 0; i < RANDOM; i++) {
                array[at + i] = (byte) random.nextInt();
            }
        }
        return array;
    }

    private static void check(byte[] array, int seed) {
        Child.check(Arrays.equals(array, array(seed)), "array " + seed);
    }
}
