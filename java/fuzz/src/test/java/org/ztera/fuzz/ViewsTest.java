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
package org.ztera.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.ztera.kit.Folders;

/** The views behave as a stock JVM: random programs, and those that once showed a bug. */
class ViewsTest {
    private static final Path OUT = Path.of(System.getProperty("ztera.fuzz.out", "target/fuzz"));
    private static final boolean STOCK = Boolean.getBoolean("ztera.stock");

    private static int fuzz(String... more) throws Exception {
        List<String> args = new ArrayList<>(STOCK ? List.of("--self")
                : List.of("--view", System.getProperty("ztera.jdk"), "--fastdebug-view", System.getProperty("ztera.jdk.fastdebug")));
        String seed = System.getProperty("ztera.fuzz.seed", "");
        if (!seed.isBlank()) {
            args.addAll(List.of("--seed", seed));
        }
        args.addAll(List.of(more));
        return Main.run(args.toArray(String[]::new));
    }

    /**
     * Programs that leave out a use fail, too: see {@link Totals#leftOut}.
     *
     * <p>Situation: native code: random programs mix critical sections, direct buffers, weak keys and libraries that
     * take signals. Outcome: as on the stock JVM.
     */
    @Test
    void sixtyProgramsInEveryMode() throws Exception {
        Path out = Folders.fresh(OUT.resolve("views"));
        Path json = out.resolve("summary.json");
        int status = fuzz("--programs", "60", "--batch", "15", "--modes", "3", "--spread", "12", "--jobs", "2", "--shrink-seconds",
                "120", "--out", out.toString(), "--json", json.toString());
        String summary = Files.readString(json);
        assertEquals(0, status, "the programs are in " + out.resolve("failures") + "; " + summary);
        assertTrue(summary.contains("\"programs\":60,\"runs\":180,\"modes\":12,"), summary);
        if (!STOCK) {
            // Programs that never meet the second heap would prove nothing.
            assertFalse(summary.contains("\"moved objects\":0"), summary);
            assertFalse(summary.contains("\"regions freed\":0"), summary);
            assertFalse(summary.contains("\"faults\":0"), summary);
        }
    }

    @Test
    void programsThatMoveNothingProveNothing() throws Exception {
        assumeFalse(STOCK);
        assertEquals(1, fuzz("--programs", "20", "--batch", "20", "--mode", "mixed,small", "--flag", "-XX:H2Size=0", "--out",
                OUT.resolve("nothing-moves").toString()));
    }

    /** Each file begins with the story of its bug. */
    @TestFactory
    Stream<DynamicTest> regressions() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/regressions"))) {
            List<Path> programs = files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
            assertFalse(programs.isEmpty(), "no regressions");
            return programs.stream().map(p -> DynamicTest.dynamicTest(p.getFileName().toString(), () -> assertEquals(0,
                    fuzz("--replay", p.toString(), "--repeat", "3", "--out", OUT.resolve("regressions").toString()))));
        }
    }
}
