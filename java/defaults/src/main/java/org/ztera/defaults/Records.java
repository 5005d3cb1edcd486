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

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/** A map of small records, as most programs have one: questions for few of them mostly, and two updates per hundred. */
final class Records implements Workload {
    /** Measured: a product, its name and its entry in the map. */
    private static final int PRODUCT_BYTES = 183;
    private static final int PRODUCTS_AT_ONCE = 10_000;
    private static final int OPERATIONS = 4_000;
    private static final int QUESTIONS = 500;
    private static final int UPDATE_EACH = 50;

    private record Product(int id, String name, long cents, int[] stock) {
    }

    private final SplittableRandom random;
    private final Random order;
    private final Words words;
    private final Map<Integer, Product> products = new HashMap<>();
    private Picker picker;

    Records(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        words = new Words(random, 20_000);
    }

    @Override
    public void load(Groups groups) {
        while (groups.wanted()) {
            for (int i = 0; i < PRODUCTS_AT_ONCE; i++) {
                products.put(products.size(), product(products.size()));
            }
            groups.finished(products, (long) PRODUCTS_AT_ONCE * PRODUCT_BYTES);
        }
        picker = Picker.zipf(products.size(), order);
    }

    private Product product(int id) {
        return new Product(id, words.text(random, 3), random.nextInt(100_000), new int[] {random.nextInt(100), id % 7});
    }

    @Override
    public int operations() {
        return OPERATIONS;
    }

    @Override
    public long operate(int number) {
        long found = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            int id = picker.pick(order);
            if (i % UPDATE_EACH == 0) {
                products.put(id, product(id));
            }
            Product product = products.get(id);
            found = found * 31 + product.cents + product.name.hashCode() + product.stock[0];
        }
        return found;
    }
}
