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

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The cells of this process that were reported dead, by finalizers and cleaners. Each may report a cell once. Reports
 * come on other threads, at any time after a cell became unreachable.
 */
final class Deaths {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Set<Integer> registered = ConcurrentHashMap.newKeySet();
    private static final Map<Integer, Integer> finalized = new ConcurrentHashMap<>();
    private static final Map<Integer, Integer> cleaned = new ConcurrentHashMap<>();

    private Deaths() {}

    static void finalized(int uid) {
        finalized.merge(uid, 1, Integer::sum);
    }

    /**
     * The cell's death will be reported by a cleaner, of which it has one at most; returns the action if this is the
     * one.
     */
    static Runnable clean(Cell cell) {
        int uid = cell.uid();
        return register(cell, () -> cleaned.merge(uid, 1, Integer::sum));
    }

    /** The same by a cleaner that needs {@code state}. */
    static Runnable clean(Cell cell, Object state) {
        int uid = cell.uid();
        return register(cell, () -> {
            Reference.reachabilityFence(state);
            cleaned.merge(uid, 1, Integer::sum);
        });
    }

    private static Runnable register(Cell cell, Runnable action) {
        if (!registered.add(cell.uid())) {
            return null;
        }
        CLEANER.register(cell, action);
        return action;
    }

    static boolean isFinalized(int uid) {
        return finalized.containsKey(uid);
    }

    static boolean isCleaned(int uid) {
        return cleaned.containsKey(uid);
    }

    /** The cell is alive: the caller refers to it, and did so without a break since it was made. */
    static void alive(int uid) {
        FuzzError.check(!isFinalized(uid), "a reachable cell was finalized: uid " + uid);
        FuzzError.check(!isCleaned(uid), "the cleaner of a reachable cell ran: uid " + uid);
    }

    /** Nothing was reported twice. */
    static void onceEach() {
        FuzzError.check(finalized.values().stream().allMatch(n -> n == 1), "a cell was finalized twice: " + finalized);
        FuzzError.check(cleaned.values().stream().allMatch(n -> n == 1), "a cleaner ran twice: " + cleaned);
    }

    static long reported() {
        return finalized.size() + cleaned.size();
    }
}
