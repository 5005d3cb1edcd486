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

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.map.IMap;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/** A map of Hazelcast with one member and no network: customers by number, of which one in fifty changes. */
final class Grid implements Workload {
    /** Measured: a customer as the map keeps it. */
    private static final int CUSTOMER_BYTES = 800;
    private static final int CUSTOMERS_AT_ONCE = 2_000;
    private static final int OPERATIONS = 500;
    private static final int QUESTIONS = 200;
    private static final int UPDATE_EACH = 50;

    private record Customer(int number, String name, String notes, long[] orders) implements Serializable {
    }

    private final SplittableRandom random;
    private final Random order;
    private final Sentences sentences;
    private IMap<Integer, Customer> customers;
    private int size;
    private Picker picker;

    Grid(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    }

    @Override
    public void load(Groups groups) {
        customers = Hazelcast.newHazelcastInstance(alone()).getMap("customers");
        while (groups.wanted()) {
            Map<Integer, Customer> some = HashMap.newHashMap(CUSTOMERS_AT_ONCE);
            for (int i = 0; i < CUSTOMERS_AT_ONCE; i++) {
                some.put(size, customer(size));
                size++;
            }
            customers.putAll(some);
            groups.finished(customers, (long) CUSTOMERS_AT_ONCE * CUSTOMER_BYTES);
        }
        picker = Picker.zipf(size, order);
    }

    private static Config alone() {
        Config config = new Config()
                .setProperty("hazelcast.logging.type", "none")
                .setProperty("hazelcast.phone.home.enabled", "false")
                .setProperty("hazelcast.shutdownhook.enabled", "false");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        return config;
    }

    private Customer customer(int number) {
        long[] orders = new long[8];
        for (int i = 0; i < orders.length; i++) {
            orders[i] = 1_700_000_000_000L + random.nextInt(100_000_000);
        }
        return new Customer(number, "customer" + number, sentences.text(random, 6), orders);
    }

    @Override
    public int operations() {
        return OPERATIONS;
    }

    @Override
    public long operate(int number) {
        long found = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            int at = picker.pick(order);
            if (i % UPDATE_EACH == 0) {
                customers.set(at, customer(at));
            }
            Customer customer = customers.get(at);
            found = found * 31 + customer.orders[i % 8] + customer.notes.length() + customer.name.hashCode();
        }
        return found;
    }
}
