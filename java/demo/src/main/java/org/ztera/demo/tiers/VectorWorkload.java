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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rows of numbers, as training data for a model: a quarter each of {@code double} and {@code float} with three
 * decimals, and with all their bits random. An operation goes over one block of rows; a pass goes over all of them, in
 * their order.
 */
final class VectorWorkload implements Workload {
    private static final int ROWS = 512;
    private static final int COLUMNS = 1024;
    private static final int PASSES = 4;
    private static final int OBJECT_BYTES = 20;

    /** Rows that belong together: all of doubles, or all of floats. */
    private record Block(double[][] doubles, float[][] floats) {
        double dot(double[] weights) {
            double sum = 0;
            for (double[] row : doubles) {
                for (int i = 0; i < row.length; i++) {
                    sum += row[i] * weights[i];
                }
            }
            for (float[] row : floats) {
                for (int i = 0; i < row.length; i++) {
                    sum += row[i] * weights[i];
                }
            }
            return sum;
        }
    }

    private final Random random;
    private final List<Block> blocks = new ArrayList<>();
    private final double[] weights = new double[COLUMNS];

    VectorWorkload(long seed) {
        random = new Random(seed);
        for (int i = 0; i < COLUMNS; i++) {
            weights[i] = random.nextGaussian();
        }
    }

    @Override
    public void load(Groups groups) {
        while (groups.wanted()) {
            boolean rounded = blocks.size() / 2 % 2 == 0;
            boolean wide = blocks.size() % 2 == 0;
            Block block = wide ? doubles(rounded) : floats(rounded);
            blocks.add(block);
            groups.finished(block, (long) ROWS * ((wide ? Double.BYTES : Float.BYTES) * COLUMNS + OBJECT_BYTES));
        }
    }

    private Block doubles(boolean rounded) {
        double[][] rows = new double[ROWS][COLUMNS];
        for (double[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = next(rounded);
            }
        }
        return new Block(rows, new float[0][]);
    }

    private Block floats(boolean rounded) {
        float[][] rows = new float[ROWS][COLUMNS];
        for (float[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (float) next(rounded);
            }
        }
        return new Block(new double[0][], rows);
    }

    private double next(boolean rounded) {
        double value = random.nextDouble() * 100;
        return rounded ? Math.round(value * 1000) / 1000.0 : value;
    }

    @Override
    public int operations() {
        return PASSES * blocks.size();
    }

    @Override
    public long operate(int number) {
        return Double.doubleToLongBits(blocks.get(number % blocks.size()).dot(weights));
    }
}
