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

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import org.ztera.H2;

/**
 * Values of 1 KB, text of a few words, that fit into the limit as they are or nearly so. They move as they are loaded.
 * Then a thread reads them one by one, and allocates next to nothing, for as long as the parent wants.
 */
public final class PointValues {
    private static final int BYTES = 1000;
    private static final int SHARD = 3200;
    /** Shards that move at once, and those that are loaded before their groups move one by one. */
    private static final int GROUP = 8;

    private static final int LOADED = 4 * GROUP;
    private static final String[] WORDS =
            "heap page young old card region label group object array string node value map table thread fault".split(" ");

    private static byte[][][] shards;
    private static volatile boolean reads = true;
    private static volatile boolean right;

    private PointValues() {}

    /** {@code args[0]}: millions of bytes. */
    public static void main(String[] args) {
        Child.main(() -> test(Integer.parseInt(args[0])));
    }

    private static void test(int millions) throws Exception {
        shards = new byte[millions * 1_000_000 / BYTES / SHARD][][];
        for (int first = 0; first < shards.length; first += LOADED) {
            int end = Math.min(first + LOADED, shards.length);
            IntStream.range(first, end).parallel().forEach(PointValues::load);
            IntStream.rangeClosed(first / GROUP, (end - 1) / GROUP).forEach(H2::moveNow);
        }
        Child.ready();
        Thread reader = new Thread(PointValues::read);
        reader.start();
        System.out.println("READS");
        Child.ready();
        reads = false;
        reader.join();
        Child.check(right, "the reader found each value");
        for (int s = 0; s < shards.length; s++) {
            check(s, 0);
            check(s, SHARD - 1);
        }
    }

    private static void load(int number) {
        shards[number] = shard(number);
        H2.tag(shards[number], number / GROUP);
    }

    private static byte[][] shard(int number) {
        Random random = new Random(number);
        byte[][] values = new byte[SHARD][];
        for (int i = 0; i < SHARD; i++) {
            values[i] = value(random);
            values[i][0] = (byte) number;
            values[i][1] = (byte) i;
        }
        return values;
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[BYTES];
        int at = 2;
        while (at < BYTES) {
            byte[] word = WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.US_ASCII);
            int length = Math.min(word.length, BYTES - at);
            System.arraycopy(word, 0, value, at, length);
            at += length + 1;
        }
        return value;
    }

    private static void read() {
        Random random = new Random(1);
        while (reads) {
            check(random.nextInt(shards.length), random.nextInt(SHARD));
        }
        right = true;
    }

    private static void check(int shard, int i) {
        byte[] value = shards[shard][i];
        Child.check(value[0] == (byte) shard && value[1] == (byte) i, "value of a shard");
    }
}
