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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ztera.kit.JavaHome;

/**
 * Runs other people's programs on the stock JDK and on ZTera with random moves, and compares.
 *
 * <p>Options, each with a value: {@code --home} (the folder of {@code programs} and {@code workloads}), {@code --out},
 * {@code --stock}, {@code --release}, {@code --fastdebug} (JDK homes), {@code --jdk-source}, {@code --seed}, {@code
 * --only} (names of programs, or empty), {@code --arms} (names of arms, or empty), {@code --quick} ({@code true}: the
 * short selection).
 */
public final class Others {
    private static final Set<String> OPTIONS = Set.of("--home", "--out", "--stock", "--release", "--fastdebug", "--jdk-source", "--seed",
            "--only", "--arms", "--quick");

    private final Map<String, String> options;
    private final Arm.Jdks jdks;
    private final Path out;
    private final int seed;
    private final Results results = new Results();

    private Others(Map<String, String> options) {
        this.options = options;
        this.jdks = new Arm.Jdks(jdk("--stock"), jdk("--release"), jdk("--fastdebug"));
        this.out = path("--out");
        this.seed = Integer.parseInt(options.get("--seed"));
    }

    private Path path(String option) {
        return Path.of(options.get(option)).toAbsolutePath();
    }

    private JavaHome jdk(String option) {
        return new JavaHome(path(option));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!OPTIONS.contains(args[i]) || i + 1 == args.length) {
                System.err.println("unknown option " + args[i] + "; options, each with a value: " + OPTIONS);
                System.exit(2);
            }
            options.put(args[i], args[i + 1]);
        }
        System.exit(new Others(options).run() ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        List<Entry> entries = chosen();
        Files.createDirectories(out);
        List<Prepared> programs = new ArrayList<>();
        for (Entry entry : entries) {
            programs.add(prepared(entry));
        }
        System.out.println("others: seed " + seed);
        Results.printHeader();
        for (Prepared program : programs) {
            try {
                runAll(program);
            } finally {
                results.writeJson(out.resolve("results.json"), seed);
            }
        }
        System.out.println("others: all is in " + out.resolve("results.json"));
        System.out.println(results.passed() + " passed, " + results.failed() + " failed");
        return results.failed() == 0;
    }

    private List<Entry> chosen() throws IOException {
        List<Entry> all = Entry.readAll(path("--home").resolve("programs"), options.get("--quick").equals("true"));
        List<String> names = List.of(options.get("--only").strip().split("[\\s,]+"));
        for (String name : names) {
            if (!name.isEmpty() && all.stream().noneMatch(e -> e.name().equals(name))) {
                throw new IllegalArgumentException("no program '" + name + "'; there are " + all.stream().map(Entry::name).toList());
            }
        }
        return names.getFirst().isEmpty() ? all : all.stream().filter(e -> names.contains(e.name())).toList();
    }

    private Prepared prepared(Entry entry) throws IOException, InterruptedException {
        return Prepared.of(entry, new Maven(jdks.stock(), out.resolve("maven")), path("--home"), out.resolve(entry.name()),
                path("--jdk-source"));
    }

    /** Stock first. When that fails nothing can be compared, and the other arms are not run. */
    private void runAll(Prepared program) throws IOException, InterruptedException {
        Run reference = run(program, Arm.STOCK, null);
        String wanted = options.get("--arms");
        for (Arm arm : program.entry().arms()) {
            if (reference.passed() && (wanted.isBlank() || List.of(wanted.split("[\\s,]+")).contains(arm.toString()))) {
                run(program, arm, reference);
            }
        }
    }

    private Run run(Prepared program, Arm arm, Run reference) throws IOException, InterruptedException {
        Path folder = out.resolve(program.entry().name(), arm.toString());
        Run run = Run.of(program, arm, jdks, seed, folder).judged(reference);
        results.add(run);
        Results.printRow(run);
        if (!run.passed()) {
            System.out.println("others: logs are in " + folder + "; this repeats it: make others ONLY=" + program.entry().name()
                    + " ARMS=" + arm + " SEED=" + seed);
        }
        return run;
    }
}
