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
package org.ztera.fuzz.shrink;

import java.util.ArrayList;
import java.util.List;

/** Delta debugging of a list: leaves out what is not needed, large pieces first. */
final class Ddmin {
    /** Says whether a shorter list still fails. */
    interface Test<T> {
        boolean fails(List<T> shorter) throws Exception;
    }

    private Ddmin() {}

    /** A part of the list that fails and from which no single element can be left out. */
    static <T> List<T> minimise(List<T> failing, Test<T> test) throws Exception {
        List<T> list = failing;
        if (!list.isEmpty() && test.fails(List.of())) {
            return List.of();
        }
        for (int piece = Math.max(1, list.size() / 2); ; piece = Math.max(1, piece / 2)) {
            int before = list.size();
            list = without(list, piece, test);
            if (piece == 1 && list.size() == before) {
                return list;
            }
        }
    }

    /**
     * Leaves out each piece of this length that is not needed; from the end, since later statements need earlier ones.
     */
    private static <T> List<T> without(List<T> list, int piece, Test<T> test) throws Exception {
        List<T> rest = list;
        for (int to = rest.size(); to > 0; to -= piece) {
            int from = Math.max(0, to - piece);
            List<T> shorter = new ArrayList<>(rest.subList(0, from));
            shorter.addAll(rest.subList(to, rest.size()));
            if (!shorter.isEmpty() && test.fails(shorter)) {
                rest = shorter;
            }
        }
        return rest;
    }
}
