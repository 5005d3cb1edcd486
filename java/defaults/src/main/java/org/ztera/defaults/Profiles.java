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

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/**
 * Caffeine's cache of profiles of about 900 bytes, of which few are asked for mostly, and some are not there and have
 * to be made. The cache is tagged; the program asks for what is new in it to be moved now and then. The contents of a
 * profile depend on its number alone, so that the answers do not depend on what the cache evicted.
 */
final class Profiles implements Workload {
    /** Measured: a profile, its key and the cache's node. */
    private static final int PROFILE_BYTES = 1_010;
    private static final int PUTS_PER_MOVE = 20_000;
    private static final int READS_PER_OPERATION = 500;
    private static final int OPERATIONS = 3_000;
    private static final long LABEL = 1;

    private record Profile(String name, String text, byte[] picture, long[] visits) {
    }

    private final long seed;
    private final Random order;
    private final Sentences sentences;
    private Cache<Integer, Profile> cache;
    private Picker picker;
    private Hints hints;

    Profiles(long seed) {
        this.seed = seed;
        order = new Random(seed);
        SplittableRandom random = new SplittableRandom(seed);
        sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    }

    @Override
    public void load(Groups groups) {
        hints = groups.hints();
        int size = (int) (groups.wantedBytes() / PROFILE_BYTES);
        cache = Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
        for (int first = 0; first < size; first += PUTS_PER_MOVE) {
            int puts = Math.min(PUTS_PER_MOVE, size - first);
            for (int number = first; number < first + puts; number++) {
                cache.put(number, profile(number));
            }
            groups.finished(cache, LABEL, (long) puts * PROFILE_BYTES);
        }
        picker = Picker.zipf(size + size / 10, order);
    }

    private Profile profile(int number) {
        SplittableRandom random = new SplittableRandom(seed * 31 + number);
        byte[] picture = new byte[192];
        for (int i = 0; i < picture.length; i += Long.BYTES) {
            long bits = random.nextLong();
            for (int j = 0; j < Long.BYTES; j++) {
                picture[i + j] = (byte) (bits >> 8 * j);
            }
        }
        long[] visits = new long[16];
        for (int i = 0; i < visits.length; i++) {
            visits[i] = 1_700_000_000_000L + random.nextInt(100_000_000);
        }
        return new Profile("user" + number, sentences.text(random, 6), picture, visits);
    }

    @Override
    public int operations() {
        return OPERATIONS;
    }

    @Override
    public long operate(int number) {
        long found = 0;
        for (int i = 0; i < READS_PER_OPERATION; i++) {
            Profile profile = cache.get(picker.pick(order), this::profile);
            found = found * 31 + profile.name.length() + profile.text.length() * 7L + profile.picture[number % 192] + profile.visits[i % 16];
        }
        hints.move(LABEL);
        return found;
    }
}
