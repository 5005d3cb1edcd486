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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Values of 900 bytes by a text: what sessions, pages and answers of others look like in a server's memory. */
final class Values extends Lookups {
    private static final int VALUE_BYTES = 900;

    private final Sentences sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    private final ConcurrentMap<String, byte[]> values = new ConcurrentHashMap<>();

    Values(long seed) {
        super(seed, new Load(2_000, 1_040), new Questions(2_000, 500, 20));
    }

    @Override
    Object root() {
        return values;
    }

    @Override
    void add(int from, int to) {
        for (int number = from; number < to; number++) {
            update(number);
        }
    }

    @Override
    void update(int number) {
        values.put(key(number), value());
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
    long read(int number, int turn) {
        byte[] value = values.get(key(number));
        return value[turn % VALUE_BYTES] + value[VALUE_BYTES - 1];
    }
}
