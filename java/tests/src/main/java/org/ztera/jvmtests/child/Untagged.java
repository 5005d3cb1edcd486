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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.ztera.H2;

/**
 * Programs that know nothing of H2: what they keep is larger than H1. The first argument names one, the second its
 * size.
 */
public final class Untagged {
    private static final int VALUE_BYTES = 900;
    private static final int RANDOM_BYTES = 200;
    private static final int ROUNDS = 10;
    /** Reads of an entry in the mean: a full GC waits until they have cost more than it will. */
    private static final int READS = 15;
    /** Of an entry of the cache, with its key, product, name and part of the table. */
    private static final long CACHED_BYTES = 192;

    private Untagged() {}

    private record Product(long id, String name, double price, long supplier) {
        static Product of(long id) {
            return new Product(id, "product number " + id, id % 10007 / 7.0, id / 1000);
        }
    }

    public static void main(String[] args) {
        int size = Integer.parseInt(args[1]);
        Child.main(() -> {
            switch (args[0]) {
                case "records" -> records(size);
                case "values" -> values(size);
                case "nodes" -> nodes(size);
                case "cache" -> cache(size);
                case "drops" -> drops(size);
                case "fits" -> fits(size);
                case "links" -> links(size);
                case "recent" -> recent(size);
                case "hot" -> hot(size);
                default -> throw new IllegalArgumentException(args[0]);
            }
        });
    }

    private static Map<Long, Product> products(int size) {
        Map<Long, Product> products = new HashMap<>();
        for (long id = 0; id < size; id++) {
            products.put(id, Product.of(id));
        }
        return products;
    }

    private static void check(Map<Long, Product> products, long from, long to) {
        Child.equal(to - from, (long) products.size(), "products");
        for (long id = from; id < to; id++) {
            Child.equal(Product.of(id), products.get(id), "a product");
        }
    }

    private static void records(int size) {
        check(products(size), 0, size);
        H2Stats.atLeast(size, H2Stats.movedObjects(), "moved objects");
    }

    private static byte[] value(int key) {
        byte[] value = new byte[VALUE_BYTES];
        SplittableRandom random = new SplittableRandom(key);
        for (int i = 0; i < RANDOM_BYTES; i++) {
            value[i] = (byte) random.nextInt();
        }
        return value;
    }

    private static void values(int size) {
        Map<String, byte[]> values = new ConcurrentHashMap<>();
        for (int key = 0; key < size; key++) {
            values.put("key " + key, value(key));
        }
        for (int key = 0; key < size; key++) {
            Child.check(Arrays.equals(value(key), values.get("key " + key)), "the value of key " + key);
        }
        H2Stats.atLeast(size, H2Stats.movedObjects(), "moved objects");
    }

    /** A map that grows writes to its nodes. Each value and its key move, which are three objects, but few nodes do. */
    private static void nodes(int size) {
        values(size);
        H2Stats.atMost(size * 3L + size / 2, H2Stats.movedObjects(), "moved objects");
    }

    /** The oldest entry leaves when a new one comes, until each has left ten times. */
    private static void cache(int size) {
        Map<Long, Product> cache = new LinkedHashMap<>();
        long most = 0;
        for (long id = 0; id < (long) ROUNDS * size; id++) {
            cache.put(id, Product.of(id));
            if (id >= size) {
                Child.equal(Product.of(id - size), cache.remove(id - size), "the oldest product");
            }
            if (id % (size / 4) == 0) {
                most = Math.max(most, H2Stats.used());
            }
        }
        check(cache, (long) (ROUNDS - 1) * size, (long) ROUNDS * size);
        H2Stats.atLeast(size, H2Stats.movedObjects(), "moved objects");
        H2Stats.atMost(size * CACHED_BYTES * 13 / 10, most, "bytes in H2");
    }

    private static void drops(int size) {
        for (int round = 0; round < 3; round++) {
            check(products(size), 0, size);
        }
        long used = H2Stats.used();
        H2Stats.atLeast(1, H2Stats.movedObjects(), "moved objects");
        Child.fullGcs(2);
        H2Stats.atMost(used / 10, H2Stats.used(), "bytes in H2 of what was dropped");
    }

    private static void fits(int size) {
        Map<Long, Product> products = products(size);
        Child.fullGcs(3);
        Child.youngGcs(2);
        check(products, 0, size);
        H2Stats.exactly(0, H2Stats.movedObjects(), "moved objects");
    }

    /** Small objects that refer to others. Half of them die, and a look finds that. */
    private static void links(int size) {
        Node head = Graphs.list(size, 0);
        Node middle = null;
        for (Node n = head; n != null; n = n.left) {
            n.right = n.left;
            middle = n.value == size / 2 - 1 ? n : middle;
        }
        System.gc();
        middle.left = null;
        middle.right = null;
        for (int look = 0; look < 2; look++) {
            Jcmd.run("gcH2Live");
            Child.equal(Graphs.listSum(size / 2, 0), Graphs.sum(head), "the first half of the list");
        }
        H2Stats.atLeast(size / 2, H2Stats.movedObjects(), "moved objects");
    }

    /** Each use of an entry has the map link it and three others anew. Nobody looks at the values meanwhile. */
    private static void recent(int size) {
        Map<Integer, byte[]> recent = new LinkedHashMap<>(16, 0.75f, true);
        for (int key = 0; key < size; key++) {
            recent.put(key, value(key));
        }
        use(recent, size);
        long before = H2.stats().faultCount();
        use(recent, size);
        H2Stats.atMost(size / 10, H2.stats().faultCount() - before, "faults of an entry and its neighbours");
        for (int key = 0; key < size; key++) {
            Child.check(Arrays.equals(value(key), recent.get(key)), "the value of key " + key);
        }
        H2Stats.atLeast(size, H2Stats.movedObjects(), "moved objects");
    }

    private static void use(Map<Integer, byte[]> map, int times) {
        SplittableRandom random = new SplittableRandom(times);
        for (int i = 0; i < times; i++) {
            Child.check(map.get(random.nextInt(map.size())) != null, "a value is there");
        }
    }

    /** A few entries are read most of the time, and others in each round. Full GCs bring them back. */
    private static void hot(int size) {
        Map<Integer, byte[]> values = new HashMap<>();
        int[] hashes = new int[size];
        for (int key = 0; key < size; key++) {
            byte[] value = value(key);
            hashes[key] = Arrays.hashCode(value);
            values.put(key, value);
        }
        for (int round = 0; round < 2; round++) {
            read(values, hashes, round);
            Child.fullGcs(1);
            Child.youngGcs(1);
        }
        for (int key = 0; key < size; key++) {
            Child.equal(hashes[key], Arrays.hashCode(values.get(key)), "the value of key " + key);
        }
        H2Stats.atLeast(size, H2Stats.movedObjects(), "moved objects");
    }

    /** Each round has other favourites. A few of the values are replaced. */
    private static void read(Map<Integer, byte[]> values, int[] hashes, int round) {
        SplittableRandom random = new SplittableRandom(round);
        int size = hashes.length;
        for (int i = 0; i < READS * size; i++) {
            int rank = (int) (size * Math.pow(random.nextDouble(), 6));
            int key = (int) ((rank * 7_368_787L + round) % size);
            Child.equal(hashes[key], Arrays.hashCode(values.get(key)), "the value of key " + key);
            if (i % 64 == 0) {
                byte[] value = value(key + i);
                hashes[key] = Arrays.hashCode(value);
                values.put(key, value);
            }
        }
    }
}
