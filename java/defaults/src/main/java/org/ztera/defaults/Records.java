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

/** A map of small records, as most programs have one. */
final class Records extends Lookups {
    private record Product(int id, String name, long cents, int[] stock) {
    }

    private final Words words = new Words(random, 20_000);
    private final Map<Integer, Product> products = new HashMap<>();

    Records(long seed) {
        super(seed, new Load(10_000, 183), new Questions(4_000, 500, 50));
    }

    @Override
    Object root() {
        return products;
    }

    @Override
    void add(int from, int to) {
        for (int id = from; id < to; id++) {
            update(id);
        }
    }

    @Override
    void update(int id) {
        products.put(id, new Product(id, words.text(random, 3), random.nextInt(100_000), new int[] {random.nextInt(100), id % 7}));
    }

    @Override
    long read(int id, int turn) {
        Product product = products.get(id);
        return product.cents + product.name.hashCode() + product.stock[0];
    }
}
