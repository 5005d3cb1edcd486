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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.H2;
import org.ztera.kit.uses.Owners;
import org.ztera.kit.uses.Stranger;
import org.ztera.kit.uses.Use;
import org.ztera.kit.uses.WeakKeys;

/** The uses that one thread makes of its data besides Java: see {@link Use}. */
final class Uses {
    /** Downcalls in one of the arms only: after the first, threads do not serve their own faults any more. */
    static final List<Use> ALL = Arrays.stream(Use.values())
            .filter(use -> !use.isDowncall() || Boolean.getBoolean("ztera.soak.downcalls")).toList();

    private static final int OWNERS = 64;
    private static final int OWNED_BYTES = 64 << 10;
    private static final int KEYS = 2000;
    private static final int KEYS_THAT_DIE = 200;

    private final SplittableRandom random;
    private final List<Use> next = new ArrayList<>();
    private final List<WeakKeys> dropped = new ArrayList<>();
    private Packets packets;
    private Owners owners;
    private WeakKeys keys;

    Uses(long seed) {
        random = new SplittableRandom(seed);
    }

    /** All that was dropped is made anew, and goes to H2. */
    void grow(long label) {
        if (packets == null) {
            packets = new Packets(random);
            owners = new Owners(OWNERS, OWNED_BYTES, true);
            keys = new WeakKeys(KEYS);
            move(label);
        }
    }

    private void move(long label) {
        for (Object root : new Object[] {packets.arrays, owners.root(), keys.root()}) {
            H2.tag(root, label);
        }
        H2.moveNow(label);
    }

    /** Each use once, after the data have moved again: how many come in between depends on the machine. */
    void each(Group group, long label) {
        move(label);
        next.clear();
        for (int i = 0; i < ALL.size(); i++) {
            once(group);
        }
    }

    /** One use; each comes once before any comes again. */
    void once(Group group) {
        if (next.isEmpty()) {
            next.addAll(ALL);
            Collections.shuffle(next, new Random(random.nextLong()));
        }
        Use use = next.removeLast();
        try {
            switch (use) {
                case DEAD_OWNER -> ownersDie();
                case DEAD_KEY -> keysDie();
                case STRANGE_THREAD -> strangeThread(group);
                case STRANGE_FAULT -> Stranger.faults(random.nextInt(6));
                default -> packets.copy(use, random);
            }
        } catch (Exception e) {
            throw new AssertionError(use + " has failed", e);
        }
    }

    /**
     * As many as there are: more than memory would suffice for, if dead ones were not found.
     *
     * <p>Situation: memory beside the heap: owners of direct buffers lie in H2 and are replaced while things below H2
     * fail. Outcome: within MaxDirectMemorySize, and in the end all of it is free.
     */
    void ownersDie() {
        for (int i = 0; i < OWNERS; i++) {
            Use.DEAD_OWNER.done(H2.contains(owners.replace(random.nextInt(OWNERS))));
        }
    }

    /**
     * Some of the keys.
     *
     * <p>Situation: weak references: a WeakHashMap, references of all kinds and cleaners wait for keys of H2 while
     * things below H2 fail. Outcome: no key that lives is told of, and each dead one is.
     */
    void keysDie() {
        for (int i = 0; i < KEYS_THAT_DIE; i++) {
            Use.DEAD_KEY.done(H2.contains(keys.replace(random.nextInt(KEYS))));
        }
        keys.check();
    }

    /**
     * Meanwhile this thread waits.
     *
     * <p>Situation: native code: a thread of a library blocks SIGBUS, attaches itself and reads and writes H2. Outcome:
     * it reads the right values.
     */
    void strangeThread(Group group) {
        Use.STRANGE_THREAD.done(H2.contains(group.blocks));
        Stranger.runs(random.nextBoolean(), () -> group.touch(random, group));
    }

    void check() {
        packets.check();
        owners.check();
        keys.check();
    }

    /** All is given up. */
    void drop() {
        packets = null;
        owners = null;
        keys.drop();
        dropped.add(keys);
        keys = null;
    }

    @Override
    public String toString() {
        return "dropped " + dropped;
    }

    /** Whether all that waits for keys that are dead has told of them. */
    boolean haveTold() {
        dropped.removeIf(WeakKeys::allHaveTold);
        return dropped.isEmpty();
    }
}
