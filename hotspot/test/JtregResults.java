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

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results that jtreg left in one folder {@code MODE/GROUP}: its work folder and its report, and what jtreg.sh wrote
 * beside them.
 */
record JtregResults(String mode, String group, List<String> selected, int filtered, List<String> vms, Map<String, Test> done) {
    /** The verdict of jtreg on a test. */
    enum Outcome { PASSED, SKIPPED, FAILED, ERROR }

    record Test(String name, Outcome outcome, long millis, String message) {
        boolean isBad() {
            return outcome == Outcome.FAILED || outcome == Outcome.ERROR;
        }
    }

    /** The names of all folders with results. */
    static List<String> names(Path results) throws IOException {
        try (Stream<Path> files = Files.walk(results, 3, FileVisitOption.FOLLOW_LINKS)) {
            return files.filter(f -> f.endsWith("tests")).map(f -> results.relativize(f.getParent()).toString()).sorted().toList();
        }
    }

    static JtregResults read(Path results, String name) throws IOException {
        Path dir = results.resolve(name);
        List<String> selected = lines(dir.resolve("tests"));
        Map<String, Test> done = readTests(dir);
        done.keySet().retainAll(selected);
        int slash = name.indexOf('/');
        return new JtregResults(name.substring(0, slash), name.substring(slash + 1), selected, filtered(dir, selected), lines(dir.resolve("vms")), done);
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static List<Path> filesBelow(Path dir, String end) throws IOException {
        if (!Files.isDirectory(dir)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(dir)) {
            return files.filter(f -> f.toString().endsWith(end)).toList();
        }
    }

    /** The tests that ran, by name. */
    static Map<String, Test> readTests(Path dir) throws IOException {
        var byName = new TreeMap<String, Test>();
        for (Path file : filesBelow(dir.resolve("work"), ".jtr")) {
            readTest(file).ifPresent(test -> byName.put(test.name, test));
        }
        return byName;
    }

    /** A .jtr file opens with properties; sections with the output of each action follow. */
    private static Optional<Test> readTest(Path file) throws IOException {
        var head = new Properties();
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            head.load(new StringReader(lines.takeWhile(line -> !line.startsWith("#section:")).collect(Collectors.joining("\n"))));
        }
        String status = head.getProperty("execStatus", "");
        return outcome(status).map(o -> new Test(head.getProperty("test"), o, Long.parseLong(head.getProperty("totalTime", "0")), status));
    }

    /** Empty for a test that was interrupted. */
    private static Optional<Outcome> outcome(String status) {
        if (status.startsWith("Passed. Skipped")) {
            return Optional.of(Outcome.SKIPPED);
        }
        return Stream.of(Outcome.values()).filter(o -> status.toUpperCase().startsWith(o.name() + ".")).findFirst();
    }

    /**
     * How many tests the platform, the flags or a list rule out, as jtreg says when it is through. Of those that it was
     * to run, it says the same where they have run before.
     */
    private static int filtered(Path dir, List<String> selected) throws IOException {
        var names = new TreeSet<String>();
        for (Path file : filesBelow(dir.resolve("report"), "/notRun.txt")) {
            lines(file).stream().filter(line -> line.contains(" Not run.")).forEach(line -> names.add(line.split(" ", 2)[0]));
        }
        selected.forEach(names::remove);
        return names.size();
    }

    boolean isComplete() {
        return done.size() == selected.size();
    }
}
