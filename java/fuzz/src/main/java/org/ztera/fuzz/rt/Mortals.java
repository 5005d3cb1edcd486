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
package org.ztera.fuzz.rt;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.ztera.H2;

/**
 * Groups that must die once they are dropped. Each has a label of its own, is reachable from nothing but a list here,
 * and refers to nothing outside but constants: so no region of it can be kept by anything else, unless the VM moves
 * objects that it was not asked to move ({@code H2Stress}). Every sign of a death must tell of theirs, and not
 * before.
 */
final class Mortals {
    private static final int MOST_COLLECTIONS = 60;
    /** The wait after the first collection for the threads that tell; after the n-th, n times as long. */
    private static final long WAIT_MILLIS = 10;

    /** Labels that no program uses. */
    private static long nextLabel = 1L << 40;
    private static final List<Group> held = new ArrayList<>();
    private static final List<Sign> awaited = new ArrayList<>();
    /** Constants, which all groups refer to, and what these refer to until it is given up: the newest group. */
    private static final AtomicReference<Mortal> newest = new AtomicReference<>();
    /** All groups. */
    private static final List<Mortal> heads = new CopyOnWriteArrayList<>();
    /** Of no group. Deduplication may find it equal to a string of each. */
    private static final List<String> twins = new ArrayList<>(List.of(twin()));
    /** A cell of no group. */
    private static final AtomicReference<Loner> loner = new AtomicReference<>();

    private record Group(Mortal head, List<Sign> signs) {}

    private static class Mortal extends Cell {
        private transient Mortal next;
        private transient Mortal[] fan;
        private transient long[] payload;
        /** By a cleaner: its action, or what that has captured. */
        private transient Object needed;
        /** By the JDK or by other strings, the objects or what is in them. */
        private transient Object[] cached;
        /** By this class, too, as it captures nothing. */
        private final transient Runnable lambda = () -> {};
        private final transient Object[] constants = {newest, heads, loner};
    }

    /** Keeps all of its group until its finalizer has run. */
    private static final class Doomed extends Mortal {
        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            Deaths.finalized(uid());
        }
    }

    private static final class Loner extends Cell {}

    private Mortals() {}

    /** A group of so many cells, which moves at the next full collection. One in two has a cell with a finalizer. */
    static void make(int size) {
        Mortal head = chain(size);
        Mortal middle = head.fan[size / 2];
        head.needed = Deaths.clean(head);
        head.cached = new Object[] {ZoneOffset.ofHours(5), ZoneId.of("Europe/Paris").getRules(), Currency.getInstance("EUR"),
            new String("a literal"), twin()};
        middle.needed = new long[size];
        Deaths.clean(middle, middle.needed);
        long label = nextLabel++;
        H2.tag(head, label);
        H2.move(label);
        List<Sign> signs = new ArrayList<>(List.of(Sign.weak(head), Sign.phantom(head), Sign.cleaner(head), Sign.jniWeak(head),
                Sign.weakMap(head), Sign.soft(head), Sign.weak(middle), Sign.phantom(middle), Sign.cleaner(middle)));
        if (middle instanceof Doomed) {
            signs.add(Sign.finalizer(middle));
        }
        if (loner.get() == null) {
            loner.set(new Loner());
            signs.add(Sign.weak(loner.get()));
        }
        held.add(new Group(head, signs));
        heads.add(head);
        newest.set(head);
    }

    private static String twin() {
        return String.valueOf(new char[] {'t', 'w', 'i', 'n'});
    }

    private static Mortal chain(int size) {
        Mortal[] all = new Mortal[size];
        for (int i = 0; i < size; i++) {
            all[i] = i == size / 2 && size % 2 == 0 ? new Doomed() : new Mortal();
            all[i].next = i == 0 ? null : all[i - 1];
            all[i].fan = all;
            all[i].payload = new long[i % 50];
        }
        all[0].next = all[size - 1];
        return all[size - 1];
    }

    /** Gives up all groups, which live until now. */
    static void drop() {
        for (Group group : held) {
            for (Sign sign : group.signs()) {
                FuzzError.check(!sign.isGiven(), "a reachable cell was reported dead: " + sign);
            }
            awaited.addAll(group.signs());
        }
        forgetWhatConstantsReferTo();
        if (!Plant.UNDEAD.isPlanted()) {
            held.clear();
        }
    }

    /** Collects until all has told of the deaths of the groups that were given up. */
    static void awaitDeaths() throws InterruptedException {
        for (int i = 1; i <= MOST_COLLECTIONS && !awaited.isEmpty(); i++) {
            System.gc();
            awaitSigns(i * WAIT_MILLIS);
        }
        FuzzError.check(awaited.isEmpty(), "nothing reaches these, but nothing tells of their death: " + awaited);
        FuzzError.check(twins.equals(List.of(twin())), "a string that was deduplicated has changed");
        Deaths.onceEach();
    }

    private static void awaitSigns(long millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000;
        awaited.removeIf(Sign::isGiven);
        while (!awaited.isEmpty() && System.nanoTime() - until < 0) {
            Thread.sleep(1);
            awaited.removeIf(Sign::isGiven);
        }
    }

    private static void forgetWhatConstantsReferTo() {
        newest.set(null);
        heads.clear();
        loner.set(null);
    }

    /** Signs that have not told yet need not. */
    static void forget() {
        forgetWhatConstantsReferTo();
        held.clear();
        awaited.clear();
    }
}
