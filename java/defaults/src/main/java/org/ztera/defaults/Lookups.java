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

import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/** Entries by number: few are asked for mostly, and now and then one is replaced before it is asked for. */
abstract class Lookups implements Workload {
    /** @param atOnce how many entries are a group; @param bytes of an entry, measured */
    record Load(int atOnce, int bytes) {
    }

    /** @param updateEach how many questions there are to an update */
    record Questions(int operations, int perOperation, int updateEach) {
    }

    final SplittableRandom random;
    private final Random order;
    private final Load load;
    private final Questions questions;
    private int size;
    private Picker picker;

    Lookups(long seed, Load load, Questions questions) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        this.load = load;
        this.questions = questions;
    }

    /** All entries. */
    abstract Object root();

    /** Makes the entries from one number to before another. */
    abstract void add(int from, int to);

    /** Replaces an entry. */
    abstract void update(int number);

    /** @param turn differs from question to question. @return a number that depends on what was read */
    abstract long read(int number, int turn);

    @Override
    public final void load(Groups groups) {
        while (groups.wanted()) {
            add(size, size + load.atOnce);
            size += load.atOnce;
            groups.finished(root(), (long) load.atOnce * load.bytes);
        }
        picker = Picker.zipf(size, order);
    }

    @Override
    public final int operations() {
        return questions.operations;
    }

    @Override
    public final long operate(int operation) {
        long found = 0;
        for (int i = 0; i < questions.perOperation; i++) {
            int number = picker.pick(order);
            if (i % questions.updateEach == 0) {
                update(number);
            }
            found = found * 31 + read(number, operation + i);
        }
        return found;
    }
}
