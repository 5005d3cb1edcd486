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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.ztera.fuzz.gen.Generator;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Lab;
import org.ztera.fuzz.run.Mode;
import org.ztera.fuzz.run.Sources;
import org.ztera.fuzz.shrink.Case;
import org.ztera.fuzz.shrink.Repeated;
import org.ztera.fuzz.shrink.Shrinker;
import org.ztera.kit.Folders;

/** Batch after batch of programs, on several threads, until time or programs or patience are at an end. */
final class Campaign {
    private static final long REPORT_MILLIS = 20_000;

    private final Options options;
    private final Lab lab;
    private final Totals totals;
    private final AtomicLong nextBatch = new AtomicLong();
    private final long deadline;
    private volatile Exception broken;

    Campaign(Options options, Lab lab) {
        this.options = options;
        this.lab = lab;
        this.totals = new Totals(options.seed);
        this.deadline = System.nanoTime() + (options.minutes == 0 ? Long.MAX_VALUE / 2 : options.minutes * 60_000_000_000L);
    }

    /** Runs it all; prints progress. */
    Totals run() throws Exception {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < options.jobs; i++) {
            workers.add(Thread.ofPlatform().daemon().start(this::work));
        }
        long reported = System.nanoTime();
        for (Thread w : workers) {
            while (!w.join(Duration.ofMillis(200))) {
                if (System.nanoTime() - reported > REPORT_MILLIS * 1_000_000) {
                    reported = System.nanoTime();
                    System.out.println(totals.progress());
                }
            }
        }
        if (broken != null) {
            throw broken;
        }
        return totals;
    }

    private boolean goesOn(long batch) {
        boolean wanted = options.only >= 0 ? batch == 0 : batch * options.batch < options.programs;
        return wanted && broken == null && System.nanoTime() - deadline < 0 && totals.failures() < options.maxFailures;
    }

    private void work() {
        try {
            for (long n = nextBatch.getAndIncrement(); goesOn(n); n = nextBatch.getAndIncrement()) {
                batch(options.only >= 0 ? options.only : n);
            }
        } catch (Exception e) {
            broken = e;
        }
    }

    private void batch(long number) throws Exception {
        SplittableRandom random = new SplittableRandom(options.seed * 1_000_003 + number);
        int count = (int) Math.min(options.batch, options.programs - number * options.batch);
        List<Program> programs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            programs.add(Generator.program(random.nextLong() >>> 1));
        }
        Path work = options.out.resolve("work").resolve(Long.toString(number));
        Lab.Prepared prepared = lab.prepare(Sources.of(programs), Folders.fresh(work));
        Map<String, Long> numbers = new TreeMap<>();
        List<Mode> modes = modes(number, random);
        List<Failure> failures = new ArrayList<>(prepared.invalid());
        for (Mode mode : modes) {
            failures.addAll(prepared.test(mode, 1, numbers));
        }
        // Programs that a dead or hung child did not run are not told apart: a batch with a failure does not count.
        totals.done(failures.isEmpty() ? count : 0, modes, numbers);
        for (Failure f : failures) {
            if (totals.failures() < options.maxFailures) {
                totals.failed(f);
                report(f, programs, number);
            }
        }
        if (!options.keep) {
            Folders.delete(work);
        }
    }

    private List<Mode> modes(long batch, SplittableRandom random) {
        if (options.mode != null) {
            return List.of(options.mode);
        }
        boolean hasDebug = lab.jdks().debugView() != null;
        if (options.spread > 0) {
            List<Mode> all = Mode.spread(options.spread, options.seed, hasDebug);
            return IntStream.range(0, options.modes).mapToObj(i -> all.get((int) ((batch * options.modes + i) % all.size()))).toList();
        }
        List<Mode> modes = new ArrayList<>();
        for (int i = 0; i < options.modes; i++) {
            modes.add(Mode.draw(random, hasDebug));
        }
        return modes;
    }

    private void report(Failure f, List<Program> programs, long batch) throws Exception {
        System.out.println("fuzz: FAILURE in batch " + batch + ": " + f);
        int last = 0;
        while (last < programs.size() - 1 && !programs.get(last).className().equals(f.program())) {
            last++;
        }
        Case original = new Case(programs.subList(0, last + 1), f.mode());
        Path directory = options.out.resolve("failures").resolve(options.seed + "-" + batch + "-" + programs.get(last).name());
        FailureStore store = new FailureStore(directory);
        store.found(original, f, List.of(options.again(directory.resolve("smallest")), options.again(directory.resolve("found")),
                options.againOnly(batch)));
        if (options.shrinkSeconds > 0) {
            shrink(original, f, store, options.out.resolve("work").resolve("shrink-" + batch));
        }
        System.out.println("fuzz: see " + directory + "/README");
    }

    /** First the one program alone, once and more often; then with all that ran before it. */
    private void shrink(Case original, Failure f, FailureStore store, Path work) throws Exception {
        Case alone = new Case(List.of(original.programs().getLast()), original.mode());
        for (Repeated oracle : List.of(new Repeated(lab, work, f.kind(), 1, 1), new Repeated(lab, work, f.kind(), 10, 2),
                new Repeated(lab, work, f.kind(), 80, 2))) {
            if (shrink(oracle, alone, store)) {
                return;
            }
        }
        if (!shrink(new Repeated(lab, work, f.kind(), 1, 3), original, store)) {
            System.out.println("fuzz: it did not fail again; only what was found is kept");
        }
        Folders.delete(work);
    }

    private boolean shrink(Repeated oracle, Case from, FailureStore store) throws Exception {
        Shrinker shrinker = new Shrinker(oracle, options.shrinkSeconds * 1_000_000_000L);
        if (!shrinker.shrink(from)) {
            return false;
        }
        store.smallest(shrinker.best(), shrinker.failure());
        System.out.println("fuzz: minimised to " + shrinker.best().programs().size() + " programs with "
                + shrinker.best().programs().stream().mapToInt(Program::statements).sum() + " statements, mode "
                + shrinker.best().mode() + ", in " + shrinker.tries() + " tries");
        return true;
    }
}
