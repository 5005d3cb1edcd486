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
package org.ztera.jvmtests.soak;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.H2;

/** One thread's groups, and what it does to them in each phase. */
final class World {
    private static final int GROUPS = 6;
    /** Groups that are hot at the same time. */
    private static final int HOT = 2;
    private static final int TOUCHES_BETWEEN_LOOKS = 16;
    private static final int LOOKS_BETWEEN_USES = 4;

    private final int label;
    private final SplittableRandom random;
    private final List<Group> groups = new ArrayList<>();
    private final List<WeakReference<Block[]>> dropped = new ArrayList<>();
    private final Uses uses;
    private long touched;

    World(int label, long seed) {
        this.label = label;
        random = new SplittableRandom(seed);
        uses = new Uses(random.nextLong());
    }

    /** A new group replaces each dropped one, and goes to H2. */
    void grow() {
        while (groups.size() < GROUPS) {
            Group group = new Group(random.nextLong());
            groups.add(group);
            long to = label();
            H2.tag(group.blocks, to);
            if (random.nextInt(3) == 0) {
                H2.move(to);
            } else {
                H2.moveNow(to);
            }
        }
        uses.grow(label());
    }

    private long label() {
        return (long) label * GROUPS + random.nextInt(GROUPS);
    }

    /** The first groups, or the last ones, are used until a time. */
    void use(boolean first, long end) {
        int from = first ? 0 : GROUPS - HOT;
        while (System.nanoTime() - end < 0) {
            for (int i = 0; i < TOUCHES_BETWEEN_LOOKS; i++) {
                groups.get(from + random.nextInt(HOT)).touch(random, groups.get(random.nextInt(GROUPS)));
            }
            touched += TOUCHES_BETWEEN_LOOKS;
            if (random.nextInt(LOOKS_BETWEEN_USES) == 0) {
                uses.once(groups.get(random.nextInt(GROUPS)));
            }
        }
    }

    void makeUses() {
        uses.each(groups.get(random.nextInt(GROUPS)), label());
    }

    /** Everything is read once, the groups in random order, as far as there is time. */
    void scan(long end) {
        uses.check();
        List<Group> all = new ArrayList<>(groups);
        Collections.shuffle(all, new Random(random.nextLong()));
        all.forEach(group -> group.check(end));
    }

    /** Some groups are given up, from anywhere; or all. */
    void shrink(boolean all) {
        for (int n = all ? GROUPS : random.nextInt(1, HOT + 2); n > 0; n--) {
            Group dead = groups.remove(random.nextInt(groups.size()));
            groups.forEach(group -> group.forget(dead));
            dropped.add(new WeakReference<>(dead.blocks));
        }
        if (all) {
            uses.drop();
        }
    }

    /** How many of the groups that were given up are not dead yet. */
    int undead() {
        dropped.removeIf(group -> group.refersTo(null));
        return dropped.size();
    }

    /** Whether all that waits for the death of what was given up has told. */
    boolean usesHaveTold() {
        return uses.haveTold();
    }

    @Override
    public String toString() {
        return uses.toString();
    }

    long touched() {
        return touched;
    }
}
