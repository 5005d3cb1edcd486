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
package org.ztera.defaults;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Workload;

/** Passes over rows of doubles, all bits of which are random: no codec makes them smaller. */
final class Rows implements Workload {
    private static final int ROWS = 256;
    private static final int COLUMNS = 1024;
    private static final int PASSES = 8;
    private static final int ARRAY_BYTES = 20;

    private final SplittableRandom random;
    private final List<double[][]> blocks = new ArrayList<>();
    private final double[] weights = new double[COLUMNS];

    Rows(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < COLUMNS; i++) {
            weights[i] = random.nextDouble() - 0.5;
        }
    }

    @Override
    public void load(Groups groups) {
        while (groups.wanted()) {
            double[][] block = new double[ROWS][COLUMNS];
            for (double[] row : block) {
                for (int i = 0; i < row.length; i++) {
                    row[i] = random.nextDouble();
                }
            }
            blocks.add(block);
            groups.finished(block, (long) ROWS * (COLUMNS * Double.BYTES + ARRAY_BYTES));
        }
    }

    @Override
    public int operations() {
        return PASSES * blocks.size();
    }

    @Override
    public long operate(int number) {
        double sum = 0;
        for (double[] row : blocks.get(number % blocks.size())) {
            for (int i = 0; i < row.length; i++) {
                sum += row[i] * weights[i];
            }
        }
        return Double.doubleToLongBits(sum);
    }
}
