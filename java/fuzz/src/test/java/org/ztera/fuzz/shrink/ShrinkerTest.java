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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.ztera.fuzz.gen.Generator;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.program.Stmt;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Mode;

/** The minimiser, with an oracle that looks at the case instead of running it. */
class ShrinkerTest {
    private static final Failure FAILURE =
            new Failure(Failure.Kind.DIFFERS, "fuzzed.P", Mode.PLAIN, List.of("a"), List.of("b"), Path.of("nowhere"));
    private static final Mode MODE = Mode.parse("c2,wide,compact,zstd,tiny,threads4,stress5,dedup");
    private static final long LONG = 600_000_000_000L;

    private static void collect(List<Stmt> stmts, List<Stmt> all) {
        for (Stmt s : stmts) {
            all.add(s);
            if (s.isBlock()) {
                collect(s.body(), all);
            }
        }
    }

    private static List<Stmt> statements(Program p) {
        List<Stmt> all = new ArrayList<>();
        collect(p.main(), all);
        p.methods().forEach(m -> collect(m.body(), all));
        return all;
    }

    private static boolean has(Case c, String feature) {
        return c.programs().stream().anyMatch(p -> statements(p).stream().anyMatch(s -> s.feature().equals(feature)));
    }

    /** Programs of which one tags and moves, and one has a block with an array write in it. */
    private static Case original() {
        List<Program> programs = new ArrayList<>(IntStream.range(0, 6).mapToObj(Generator::program).toList());
        Stmt write = Stmt.of("needed in a block", "write();");
        Stmt block = Stmt.block("loop", "for (;;)", "", List.of(Stmt.of("x", "x();"), Stmt.block("if", "if (a)", "", List.of(write))));
        programs.set(2, add(programs.get(2), block));
        programs.set(4, add(programs.get(4), Stmt.of("needed", "gc(@0);", 5000)));
        return new Case(programs, MODE);
    }

    private static Program add(Program p, Stmt s) {
        List<Stmt> main = new ArrayList<>(p.main());
        main.add(main.size() / 2, s);
        return p.withMain(main);
    }

    @Test
    void onlyWhatIsNeededIsLeft() throws Exception {
        Shrinker shrinker = new Shrinker(c -> has(c, "needed") && has(c, "needed in a block")
                && c.mode().compact() ? FAILURE : null, LONG);
        assertTrue(shrinker.shrink(original()));
        Case best = shrinker.best();
        assertEquals(2, best.programs().size());
        assertEquals(2, best.statements(), best.toString());
        for (Program p : best.programs()) {
            assertEquals(List.of(), p.methods());
            assertEquals(List.of(), p.slots());
            assertEquals(List.of(), p.classes());
        }
        assertEquals("mixed,narrow,compact,lz4,small,threads1", best.mode().toString());
        assertEquals(FAILURE, shrinker.failure());
    }

    @Test
    void sizesShrinkAsFarAsItFails() throws Exception {
        Shrinker shrinker = new Shrinker(c -> statements(c.programs().getLast()).stream()
                .anyMatch(s -> s.feature().equals("needed") && s.sizes().getFirst() > 100) ? FAILURE : null, LONG);
        Case one = original();
        assertTrue(shrinker.shrink(one.withPrograms(List.of(one.programs().get(4)))));
        int size = shrinker.best().programs().getFirst().main().getFirst().sizes().getFirst();
        assertTrue(size > 100 && size <= 200, "size " + size);
    }

    @Test
    void aCaseThatDoesNotFailIsNotTouched() throws Exception {
        assertFalse(new Shrinker(c -> null, LONG).shrink(original()));
    }

    @Test
    void whenTimeIsUpTheBestSoFarIsKept() throws Exception {
        Shrinker shrinker = new Shrinker(c -> has(c, "needed") ? FAILURE : null, 0);
        assertTrue(shrinker.shrink(original()));
        assertEquals(original(), shrinker.best());
    }

    @Test
    void deltaDebuggingFindsScatteredElements() throws Exception {
        List<Integer> all = IntStream.range(0, 100).boxed().toList();
        List<Integer> needed = List.of(3, 50, 51, 99);
        assertEquals(needed, Ddmin.minimise(all, list -> list.containsAll(needed)));
        assertEquals(List.of(), Ddmin.minimise(all, list -> true));
    }
}
