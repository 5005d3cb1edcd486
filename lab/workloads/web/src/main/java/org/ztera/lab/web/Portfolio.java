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
package org.ztera.lab.web;

import java.util.Map;
import java.util.TreeMap;

/** A user's session: shares, and notes on what happened last. One request at a time uses it. */
final class Portfolio {
    private static final int NOTES = 16;

    private final Map<Integer, Integer> shares = new TreeMap<>();
    private final String[] notes = new String[NOTES];
    private int next;

    /** How many shares of a symbol there are. */
    int shares(int symbol) {
        return shares.getOrDefault(symbol, 0);
    }

    /** Adds shares, or takes some away. */
    void add(int symbol, int amount) {
        shares.merge(symbol, amount, Integer::sum);
        shares.remove(symbol, 0);
    }

    /** Keeps a note in place of the oldest one. */
    void note(String text) {
        notes[next] = text;
        next = (next + 1) % NOTES;
    }

    /** The note that was kept last. */
    String lastNote() {
        return notes[(next + NOTES - 1) % NOTES];
    }

    /** All shares at their prices. */
    long value(int[] prices) {
        return shares.entrySet().stream().mapToLong(it -> (long) it.getValue() * prices[it.getKey()]).sum();
    }
}
