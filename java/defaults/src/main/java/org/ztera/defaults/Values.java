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

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/** Values of 900 bytes by a text: what sessions, pages and answers of others look like in a server's memory. */
final class Values implements Workload {
    /** Measured: a value, its key and its entry in the map. */
    private static final int ENTRY_BYTES = 1_040;
    private static final int VALUE_BYTES = 900;
    private static final int ENTRIES_AT_ONCE = 2_000;
    private static final int OPERATIONS = 2_000;
    private static final int QUESTIONS = 500;
    private static final int UPDATE_EACH = 20;

    private final SplittableRandom random;
    private final Random order;
    private final Sentences sentences;
    private final ConcurrentMap<String, byte[]> values = new ConcurrentHashMap<>();
    private int size;
    private Picker picker;

    Values(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    }

    @Override
    public void load(Groups groups) {
        while (groups.wanted()) {
            for (int i = 0; i < ENTRIES_AT_ONCE; i++) {
                values.put(key(size++), value());
            }
            groups.finished(values, (long) ENTRIES_AT_ONCE * ENTRY_BYTES);
        }
        picker = Picker.zipf(size, order);
    }

    private static String key(int number) {
        return "session:" + number;
    }

    /** Half text, half what no codec makes smaller. */
    private byte[] value() {
        byte[] value = new byte[VALUE_BYTES];
        byte[] text = sentences.text(random, 8).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(text, 0, value, 0, Math.min(text.length, VALUE_BYTES / 2));
        for (int i = VALUE_BYTES / 2; i < VALUE_BYTES; i++) {
            value[i] = (byte) random.nextInt();
        }
        return value;
    }

    @Override
    public int operations() {
        return OPERATIONS;
    }

    @Override
    public long operate(int number) {
        long found = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            String key = key(picker.pick(order));
            if (i % UPDATE_EACH == 0) {
                values.put(key, value());
            }
            byte[] value = values.get(key);
            found = found * 31 + value[number % VALUE_BYTES] + value[VALUE_BYTES - 1];
        }
        return found;
    }
}
