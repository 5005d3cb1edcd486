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
import org.ztera.fuzz.program.Stmt;

/** Makes a list of statements smaller. A test that says yes has taken its list over. */
final class StatementShrinker {
    private StatementShrinker() {}

    /** Leaves out statements, puts a block's body in its place, and shrinks what is in blocks. */
    static void shrink(List<Stmt> failing, Ddmin.Test<Stmt> test) throws Exception {
        List<Stmt> list = Ddmin.minimise(failing, test);
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).isBlock()) {
                list = shrinkBlock(list, i, test);
            }
        }
    }

    private static List<Stmt> shrinkBlock(List<Stmt> list, int at, Ddmin.Test<Stmt> test) throws Exception {
        Stmt block = list.get(at);
        List<Stmt> flat = new ArrayList<>(list.subList(0, at));
        flat.addAll(block.body());
        flat.addAll(list.subList(at + 1, list.size()));
        if (test.fails(flat)) {
            return flat;
        }
        List<Stmt> body = Ddmin.minimise(block.body(), shorter -> test.fails(replaced(list, at, block.withBody(shorter))));
        return replaced(list, at, block.withBody(body));
    }

    /** Halves the sizes of statements, outside blocks, as long as it fails. */
    static void shrinkSizes(List<Stmt> failing, Ddmin.Test<Stmt> test) throws Exception {
        List<Stmt> list = failing;
        for (int i = 0; i < list.size(); i++) {
            for (int k = 0; k < list.get(i).sizes().size(); k++) {
                list = shrinkSize(list, i, k, test);
            }
        }
    }

    private static List<Stmt> shrinkSize(List<Stmt> failing, int i, int k, Ddmin.Test<Stmt> test) throws Exception {
        List<Stmt> list = failing;
        while (list.get(i).sizes().get(k) > 1) {
            Stmt s = list.get(i);
            List<Stmt> smaller = replaced(list, i, s.withSize(k, s.sizes().get(k) / 2));
            if (!test.fails(smaller)) {
                return list;
            }
            list = smaller;
        }
        return list;
    }

    private static List<Stmt> replaced(List<Stmt> list, int at, Stmt by) {
        List<Stmt> changed = new ArrayList<>(list);
        changed.set(at, by);
        return changed;
    }
}
