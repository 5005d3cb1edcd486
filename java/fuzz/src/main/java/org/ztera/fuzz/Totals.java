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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Mode;

/** The work done so far. */
final class Totals {
    /** Of which each tags and moves something; fewer may all find nothing to move. */
    private static final int PROGRAMS_THAT_MOVE = 20;
    /** So many make all uses that there are. */
    private static final int PROGRAMS_THAT_USE_ALL = 60;

    private final long seed;
    private final long start = System.nanoTime();
    private final Map<String, Long> children = new TreeMap<>();
    private final Set<String> words = new TreeSet<>();
    private final Set<Mode> modes = new HashSet<>();
    private final List<Failure> failures = new ArrayList<>();
    private long batches;
    private long programs;
    private long runs;

    Totals(long seed) {
        this.seed = seed;
    }

    /** A batch of so many programs is through its modes. */
    synchronized void done(int count, List<Mode> inModes, Map<String, Long> numbers) {
        batches++;
        programs += count;
        runs += (long) count * inModes.size();
        modes.addAll(inModes);
        for (Mode m : inModes) {
            words.addAll(List.of(m.toString().replaceAll("stress[0-9]+", "stress").split(",")));
        }
        numbers.forEach((name, value) -> children.merge(name, value, Long::sum));
    }

    synchronized void failed(Failure failure) {
        failures.add(failure);
    }

    synchronized int failures() {
        return failures.size();
    }

    synchronized long programs() {
        return programs;
    }

    /** Whether so many programs should have met the second heap, and did not: their agreement proves nothing. */
    synchronized boolean nothingMoved() {
        return programs >= PROGRAMS_THAT_MOVE && moved() == 0;
    }

    /** The uses that so many programs should have made in their JVMs, also of what lies in H2, and did not. */
    synchronized List<String> leftOut() {
        return programs < PROGRAMS_THAT_USE_ALL ? List.of() : children.entrySet().stream()
                .filter(e -> e.getKey().startsWith("used ") && e.getValue() == 0).map(Map.Entry::getKey).toList();
    }

    private long moved() {
        return children.getOrDefault("moved objects", 0L);
    }

    /** Those with a failure among them. */
    synchronized long batches() {
        return batches;
    }

    private double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** One line of progress. */
    synchronized String progress() {
        return "fuzz: %d programs, %.1f/s, %d runs in %d modes, %d failures, %,d objects moved".formatted(programs,
                programs / Math.max(seconds(), 0.001), runs, modes.size(), failures.size(), moved());
    }

    /** Several lines at the end. */
    synchronized String summary() {
        StringBuilder text = new StringBuilder("fuzz: seed %d: %d programs, %d runs in %d modes in %.0f s\n"
                .formatted(seed, programs, runs, modes.size(), seconds()));
        text.append("fuzz: modes were made of: ").append(String.join(" ", words)).append('\n');
        text.append("fuzz: in the JVMs under test: ");
        children.forEach((name, value) -> text.append("%s %,d; ".formatted(name, value)));
        text.append('\n');
        failures.forEach(f -> text.append("fuzz: FAILURE ").append(f).append('\n'));
        return text.append("%d passed, %d failed".formatted(programs, failures.size())).toString();
    }

    synchronized String json() {
        StringBuilder text = new StringBuilder("{\"seed\":%d,\"programs\":%d,\"runs\":%d,\"modes\":%d,\"failures\":%d,\"seconds\":%.1f"
                .formatted(seed, programs, runs, modes.size(), failures.size(), seconds()));
        children.forEach((name, value) -> text.append(",\"").append(name).append("\":").append(value));
        return text.append("}\n").toString();
    }
}
