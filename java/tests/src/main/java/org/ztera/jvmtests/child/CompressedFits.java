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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.ztera.H2;

/**
 * Tagged groups that exceed the memory limit by far, but not once they are compressed, and that nobody
 * asks to move: H1 has to give way in time.
 */
public final class CompressedFits {
    private static final int GROUPS = 520;
    private static final int NUMBERS = 128 << 10;

    private CompressedFits() {}

    public static void main(String[] args) {
        Child.main(CompressedFits::test);
    }

    private static void test() {
        List<long[]> groups = new ArrayList<>();
        for (int i = 0; i < GROUPS; i++) {
            long[] group = numbers(i);
            H2.tag(group, i);
            groups.add(group);
        }
        for (int i = 0; i < GROUPS; i++) {
            Child.check(Arrays.equals(groups.get(i), numbers(i)), "group " + i);
        }
    }

    /** A MiB of which 14 bits in 64 are random: a codec cannot make it less than a fifth. */
    private static long[] numbers(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] numbers = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = random.nextInt(1 << 14);
        }
        return numbers;
    }
}
