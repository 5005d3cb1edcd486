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
package org.ztera.demo.tiers;

import java.util.Arrays;
import java.util.Random;

/** Picks numbers below a bound: all alike, or few of them mostly. The seed chooses the few. */
public final class Picker {
    /** That of YCSB: the second is picked about half as often as the first, the third a third as often. */
    private static final double ZIPF_EXPONENT = 0.99;

    private final int[] order;
    private final double[] upTo;

    private Picker(int[] order, double[] upTo) {
        this.order = order;
        this.upTo = upTo;
    }

    /** Each number is as likely as any other. */
    public static Picker uniform(int bound) {
        return of(bound, 0, new Random(0));
    }

    /** @param seeded decides which are the few */
    public static Picker zipf(int bound, Random seeded) {
        return of(bound, ZIPF_EXPONENT, seeded);
    }

    private static Picker of(int bound, double exponent, Random seeded) {
        double[] upTo = new double[bound];
        double sum = 0;
        for (int rank = 0; rank < bound; rank++) {
            sum += 1 / Math.pow(rank + 1, exponent);
            upTo[rank] = sum;
        }
        return new Picker(shuffled(bound, seeded), upTo);
    }

    /** The next number. */
    public int pick(Random random) {
        int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
        return order[Math.min(found >= 0 ? found : -found - 1, order.length - 1)];
    }

    private static int[] shuffled(int bound, Random seeded) {
        int[] order = new int[bound];
        for (int i = 0; i < bound; i++) {
            int other = seeded.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }
}
