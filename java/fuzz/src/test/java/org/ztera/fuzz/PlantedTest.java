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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.ztera.kit.Folders;

/**
 * The whole fuzzer on a stock JVM: it finds nothing where nothing is wrong, and finds what was planted in the library
 * of one side. See {@code org.ztera.fuzz.rt.Plant}.
 */
class PlantedTest {
    private static final String SEED = "11";

    private static Path out(String name) throws IOException {
        return Folders.fresh(Path.of(System.getProperty("ztera.fuzz.out", "target/fuzz")).resolve(name));
    }

    private static int fuzz(Path out, String... more) throws Exception {
        List<String> args = Stream.concat(Stream.of("--self", "--seed", SEED, "--programs", "12", "--batch", "12", "--modes", "1",
                "--mode", "mixed,small", "--max-failures", "1", "--out", out.toString()), Stream.of(more)).toList();
        return Main.run(args.toArray(String[]::new));
    }

    private static Path failure(Path out) throws IOException {
        try (Stream<Path> all = Files.list(out.resolve("failures"))) {
            List<Path> failures = all.toList();
            assertEquals(1, failures.size(), failures.toString());
            return failures.getFirst();
        }
    }

    private static String smallest(Path failure) throws IOException {
        try (Stream<Path> files = Files.list(failure.resolve("smallest"))) {
            List<Path> java = files.filter(f -> f.toString().endsWith(".java")).toList();
            assertEquals(1, java.size(), java.toString());
            return Files.readString(java.getFirst());
        }
    }

    @Test
    void aStockJvmDoesNotDifferFromItself() throws Exception {
        Path out = out("nothing");
        Path json = out.resolve("summary.json");
        assertEquals(0, fuzz(out, "--json", json.toString()));
        String summary = Files.readString(json);
        assertTrue(summary.startsWith("{\"seed\":11,\"programs\":12,\"runs\":12,\"modes\":1,\"failures\":0,"), summary);
        assertTrue(summary.contains("\"full collections\":"), summary);
        assertFalse(summary.contains("\"full collections\":0"), summary);
        assertFalse(summary.contains("\"classes unloaded\":0"), summary);
    }

    @Test
    void aWrongValueIsFoundAndMinimised() throws Exception {
        Path out = out("chars");
        assertEquals(1, fuzz(out, "--flag", "-Dfuzz.plant=chars"));
        Path failure = failure(out);
        assertTrue(Files.readString(failure.resolve("README")).startsWith("DIFFERS fuzzed.P"));
        // Nothing but a char array is left of several hundred lines, and the library.
        String source = smallest(failure);
        String run = source.substring(source.indexOf("void run()"), source.indexOf("void visit(Walk w)"));
        assertTrue(run.contains("char") && run.lines().count() < 15, source);
        // The kept failure fails again, and does not without the mistake.
        Path replay = failure.resolve("smallest");
        assertEquals(1, Main.run("--self", "--replay", replay.toString(), "--out", out("again").toString(), "--repeat", "2",
                "--flag", "-Dfuzz.plant=chars"));
        assertEquals(0, Main.run("--self", "--replay", replay.toString(), "--out", out("again").toString(), "--repeat", "2"));
    }

    @Test
    void aReferenceThatIsClearedTooEarlyIsFound() throws Exception {
        Path out = out("weak");
        assertEquals(1, fuzz(out, "--flag", "-Dfuzz.plant=weak", "--shrink-seconds", "0"));
        assertTrue(Files.readString(failure(out).resolve("README")).startsWith("CHECK fuzzed.P"));
    }

    @Test
    void whateverDoesNotTellOfADeathIsFound() throws Exception {
        Path out = out("undead");
        Path program = Files.writeString(out.resolve("Undead.java"), """
                package fuzzed;
                public class Undead implements org.ztera.fuzz.rt.FuzzProgram {
                    public void run() {
                        org.ztera.fuzz.rt.Fuzz.current().mortal(2);
                    }
                    public void visit(org.ztera.fuzz.rt.Walk w) {}
                }
                """);
        String[] replay = {"--self", "--replay", program.toString(), "--repeat", "1", "--mode", "mixed,small", "--out", out.toString()};
        assertEquals(0, Main.run(replay));
        assertEquals(1, Main.run(Stream.concat(Stream.of(replay), Stream.of("--flag", "-Dfuzz.plant=undead")).toArray(String[]::new)));
        String trace = Files.readString(out.resolve("replay/tested-mixed,narrow,lz4,small,threads1/trace.txt"));
        for (String kind : List.of("weak reference", "phantom reference", "cleaner", "finalizer", "JNI weak reference")) {
            assertTrue(trace.contains(kind + " of uid"), trace);
        }
    }

    @Test
    void aChildThatDiesIsFound() throws Exception {
        Path out = out("die");
        assertEquals(1, fuzz(out, "--flag", "-Dfuzz.plant=die", "--shrink-seconds", "0"));
        Path failure = failure(out);
        String readme = Files.readString(failure.resolve("README"));
        assertTrue(readme.startsWith("DIED fuzzed.P"), readme);
        assertTrue(readme.contains("  make fuzz REPLAY=" + failure.resolve("found") + " FUZZ=\"--self --flag -Dfuzz.plant=die\"\n"), readme);
        assertTrue(readme.contains("  make fuzz SEED=11 ONLY=0 FUZZ=\"--programs 12 --batch 12 --modes 1 --mode mixed,narrow,lz4,small,threads1"
                + " --self --flag -Dfuzz.plant=die\"\n"), readme);
    }

    @Test
    void aChildThatDoesNotRunAllIsFound() throws Exception {
        Path out = out("leave");
        assertEquals(1, fuzz(out, "--flag", "-Dfuzz.plant=leave", "--shrink-seconds", "0"));
        String readme = Files.readString(failure(out).resolve("README"));
        assertTrue(readme.startsWith("DIED fuzzed.P") && readme.contains("ended with code 0 after 1 of 12 runs"), readme);
    }

    @Test
    void aChildThatHangsIsFound() throws Exception {
        System.setProperty("fuzz.busySeconds", "5");
        try {
            Path out = out("hang");
            assertEquals(1, fuzz(out, "--flag", "-Dfuzz.plant=hang", "--shrink-seconds", "0"));
            assertTrue(Files.readString(failure(out).resolve("README")).startsWith("HUNG fuzzed.P"));
        } finally {
            System.clearProperty("fuzz.busySeconds");
        }
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        for (String[] args : List.of(new String[] {"--minute", "1"}, new String[] {"--minutes"}, new String[] {"--jobs", "0"},
                new String[] {"--view", "/nonexistent"}, new String[] {"--mode", "fast"})) {
            assertEquals(2, Main.run(args), String.join(" ", args));
        }
    }
}
