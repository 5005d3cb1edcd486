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

/** A map of Hazelcast with one member and no network: customers by number. */
final class Grid extends Lookups {
    private record Customer(int number, String name, String notes, long[] orders) implements Serializable {
    }

    private final Sentences sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    private final IMap<Integer, Customer> customers = Hazelcast.newHazelcastInstance(alone()).getMap("customers");

    Grid(long seed) {
        super(seed, new Load(2_000, 800), new Questions(500, 200, 50));
    }

    @Override
    Object root() {
        return customers;
    }

    @Override
    void add(int from, int to) {
        Map<Integer, Customer> some = HashMap.newHashMap(to - from);
        for (int number = from; number < to; number++) {
            some.put(number, customer(number));
        }
        customers.putAll(some);
    }

    @Override
    void update(int number) {
        customers.set(number, customer(number));
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
    long read(int number, int turn) {
        Customer customer = customers.get(number);
        return customer.orders[turn % 8] + customer.notes.length() + customer.name.hashCode();
    }
}
