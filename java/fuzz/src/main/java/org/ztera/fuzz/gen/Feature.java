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
package org.ztera.fuzz.gen;

import java.util.function.Function;
import org.ztera.fuzz.program.Stmt;

/**
 * One kind of statement.
 *
 * @param weight how often it is chosen
 * @param hot cheap and without collections, so that it may stand in a method that runs hundreds of times
 * @param maker makes one; null if the universe lacks what it takes
 */
record Feature(String name, int weight, boolean hot, Function<Universe, String> maker, int... sizes) {

    static Feature hot(String name, int weight, Function<Universe, String> maker) {
        return new Feature(name, weight, true, maker);
    }

    /** Runs at most a few times. Its sizes are drawn from one to the given numbers. */
    static Feature cold(String name, int weight, Function<Universe, String> maker, int... sizes) {
        return new Feature(name, weight, false, maker, sizes);
    }

    /** A statement, or null. */
    Stmt make(Universe u) {
        String code = maker.apply(u);
        if (code == null) {
            return null;
        }
        Integer[] drawn = new Integer[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            drawn[i] = u.size(sizes[i]);
        }
        return Stmt.of(name, code, drawn);
    }
}
