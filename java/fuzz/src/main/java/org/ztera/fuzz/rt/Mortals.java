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

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ztera.H2;

/**
 * Groups that must die once they are dropped. Each has a label of its own, is reachable from nothing but a list here,
 * and refers to nothing outside: so no region of it can be kept by anything else, unless the VM moves objects that it
 * was not asked to move ({@code H2Stress}).
 */
final class Mortals {
    private static final int MOST_COLLECTIONS = 60;
    private static final long WAIT_MILLIS = 50;

    /** Labels that no program uses. */
    private static long nextLabel = 1L << 40;
    private static final List<Mortal> heads = new ArrayList<>();
    private static final ReferenceQueue<Cell> queue = new ReferenceQueue<>();
    private static final Map<Reference<Cell>, Integer> watched = new HashMap<>();

    private static final class Mortal extends Cell {
        private transient Mortal next;
        private transient Mortal[] fan;
        private transient long[] payload;
    }

    private Mortals() {}

    /** A group of so many cells, which moves at the next full collection. */
    static void make(int size) {
        Mortal head = chain(size);
        long label = nextLabel++;
        H2.tag(head, label);
        H2.move(label);
        heads.add(head);
        watched.put(new PhantomReference<>(head, queue), head.uid());
        watched.put(new PhantomReference<>(head.fan[size / 2], queue), head.fan[size / 2].uid());
    }

    private static Mortal chain(int size) {
        Mortal[] all = new Mortal[size];
        for (int i = 0; i < size; i++) {
            all[i] = new Mortal();
            all[i].next = i == 0 ? null : all[i - 1];
            all[i].fan = all;
            all[i].payload = new long[i % 50];
        }
        all[0].next = all[size - 1];
        return all[size - 1];
    }

    /** Gives up all groups. */
    static void drop() {
        heads.clear();
    }

    /** Collects until every cell of the groups that were given up is reported dead. */
    static void awaitDeaths() throws InterruptedException {
        for (int i = 0; i < MOST_COLLECTIONS && !watched.isEmpty(); i++) {
            System.gc();
            for (Reference<?> r = queue.remove(WAIT_MILLIS); r != null; r = queue.poll()) {
                watched.remove(r);
            }
        }
        FuzzError.check(watched.isEmpty(), "cells that nothing reaches are alive: uids " + watched.values());
    }

    /** The references that were enqueued need not be waited for. */
    static void forget() {
        watched.clear();
    }
}
