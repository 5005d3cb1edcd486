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
package org.ztera.others;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.ztera.kit.Child;
import org.ztera.kit.Folders;
import org.ztera.kit.HangRule;
import org.ztera.kit.Jvm;

/**
 * One program on one arm: the process, its report and its answer.
 *
 * @param failure why it did not pass, or empty
 * @param report what {@link org.ztera.others.child.Launcher} wrote down; empty if the JVM did not get so far
 */
record Run(Prepared program, Arm arm, int seed, List<String> command, double seconds, String failure, Properties report, Answer answer) {
    /** No run is so much slower than its entry says, not even on fastdebug; a run that is has hung. */
    private static final int HANG_FACTOR = 40;

    static Run of(Prepared program, Arm arm, Arm.Jdks jdks, int seed, Path folder) throws IOException, InterruptedException {
        Files.createDirectories(Folders.fresh(folder).resolve("answer"));
        Files.createDirectories(folder.resolve("tmp"));
        List<String> command = command(program, arm, jdks, seed);
        long start = System.nanoTime();
        Duration limit = Duration.ofSeconds(60 + HANG_FACTOR * program.entry().seconds());
        Child.End end = Child.start(command, folder).await(HangRule.after(limit));
        double seconds = (System.nanoTime() - start) / 1e9;
        Folders.delete(folder.resolve("tmp"));
        String failure = failure(end, limit, folder);
        Properties report = report(folder.resolve("report.properties"));
        if (failure.isEmpty() && report.isEmpty()) {
            failure = "the JVM ended without a report";
        }
        return new Run(program, arm, seed, command, seconds, failure, report, Answer.of(folder.resolve("answer")));
    }

    private static String failure(Child.End end, Duration limit, Path folder) {
        if (end.hung()) {
            return "hung: not done after " + limit.toSeconds() + " s; stacks are at the end of output.txt";
        }
        if (end.exitCode() != 0) {
            return "exit status " + end.exitCode() + (Files.exists(folder.resolve("hs_err.log")) ? ", see hs_err.log" : "");
        }
        return "";
    }

    private static List<String> command(Prepared program, Arm arm, Arm.Jdks jdks, int seed) {
        Entry entry = program.entry();
        List<String> arguments = new ArrayList<>(List.of("report.properties", Long.toString(entry.every() << 20), entry.main()));
        arguments.addAll(program.args());
        return new Jvm(arm.java(jdks)).flag("-Xmx" + entry.heap()).flags(arm.flags(entry, seed))
                .flag("-Djava.io.tmpdir=tmp", "-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC").flags(entry.vm())
                .main(System.getProperty("java.class.path") + File.pathSeparator + program.classpath(), "org.ztera.others.child.Launcher",
                        arguments).command();
    }

    private static Properties report(Path file) throws IOException {
        Properties report = new Properties();
        if (Files.exists(file)) {
            try (var in = Files.newBufferedReader(file)) {
                report.load(in);
            }
        }
        return report;
    }

    /**
     * The same run, judged: a run that has not failed by itself must have the reference's answer and have moved
     * objects.
     */
    Run judged(Run reference) {
        return failure.isEmpty() ? withFailure(verdict(reference)) : this;
    }

    private String verdict(Run reference) {
        if (number("collections") < 5) {
            return "only " + number("collections") + " full collections";
        }
        if (checked() == 0) {
            return "nothing was checked";
        }
        if (arm == Arm.STOCK) {
            return "";
        }
        if (!answer.equals(reference.answer)) {
            return "another answer than stock's: " + answer.difference(reference.answer);
        }
        if (checked() != reference.checked()) {
            return checked() + " checks where stock makes " + reference.checked();
        }
        if (number("movedObjects") < program.entry().minimum() || number("faults") == 0) {
            return "too few moves or faults to be a check: " + number("movedObjects") + " objects, " + number("faults") + " faults";
        }
        return "";
    }

    private Run withFailure(String why) {
        return new Run(program, arm, seed, command, seconds, why, report, answer);
    }

    /** The checks of the program: as it says itself, or else the files of its answer. */
    long checked() {
        long own = number("checks");
        return own > 0 ? own : answer.digests().size();
    }

    long number(String key) {
        return Long.parseLong(report.getProperty(key, "0"));
    }

    boolean passed() {
        return failure.isEmpty();
    }
}
