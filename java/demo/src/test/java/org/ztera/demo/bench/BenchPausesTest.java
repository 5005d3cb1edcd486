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
package org.ztera.demo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ztera.demo.SmallTree;

/** On the JVM of the build, which has no second heap: that commands lead to the collections that they name. */
class BenchPausesTest {
    @TempDir
    Path dir;

    @Test
    void eachCommandMakesItsCollections() throws Exception {
        List<String> answers = run("live 16777216", "settle", "full 3", "young 2 0");
        assertEquals(4, answers.size(), answers.toString());
        assertTrue(answers.getLast().startsWith("{\"h2\":{"), answers.toString());
        String log = Files.readString(dir.resolve("gc.log"));
        assertEquals(1 + 3, pauses(log, "Pause Full (System.gc())"), log);
        assertEquals(2, pauses(log.substring(log.lastIndexOf("Pause Full")), "Pause Young"), log);
    }

    @Test
    void dataThatDoesNotMoveIsAnError() throws Exception {
        List<String> answers = run("fill 16777216");
        assertTrue(answers.getLast().contains("part 1 found no room"), answers.toString());
    }

    private static long pauses(String log, String kind) {
        return log.lines().filter(line -> line.contains(kind)).count();
    }

    private List<String> run(String... commands) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx128m",
                        "-Xlog:disable",
                        "-Xlog:gc:file=" + dir.resolve("gc.log"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchPauses.class.getName(),
                        SmallTree.create(Files.createDirectory(dir.resolve("tree"))).toString())
                .redirectErrorStream(true)
                .start();
        try (var input = process.outputWriter()) {
            input.write(String.join("\n", commands) + "\n");
        }
        List<String> answers = process.inputReader().lines().filter(line -> line.matches("\\{.*|.*Exception: .*")).toList();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        return answers;
    }
}
