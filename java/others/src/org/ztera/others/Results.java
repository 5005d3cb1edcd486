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
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** All runs: a table for people, {@code results.json} for machines. */
final class Results {
    private static final String ROW = "%-12s %-10s %-7s %9s %6s %10s %8s %9s %7s %7s  %s%n";

    private final List<Run> runs = new ArrayList<>();

    void add(Run run) {
        runs.add(run);
    }


    long passed() {
        return runs.stream().filter(Run::passed).count();
    }

    long failed() {
        return runs.size() - passed();
    }

    static void printHeader() {
        System.out.printf(ROW, "program", "arm", "outcome", "checked", "fullGC", "moved", "MiB", "faults", "s", "cpu s", "");
    }

    static void printRow(Run r) {
        System.out.printf(Locale.ROOT, ROW, r.program().entry().name(), r.arm(), r.passed() ? "passed" : "FAILED", r.checked(),
                r.number("collections"), r.number("movedObjects"), r.number("movedBytes") >> 20, r.number("faults"),
                seconds(r.seconds()), seconds(r.number("cpuMillis") / 1e3), r.failure());
    }

    private static String seconds(double s) {
        return String.format(Locale.ROOT, "%.1f", s);
    }

    void writeJson(Path file, int seed) throws IOException {
        String all = runs.stream().map(Results::json).collect(Collectors.joining(",\n  ", "  ", "\n"));
        Files.writeString(file, "{\"seed\": " + seed + ", \"passed\": " + passed() + ", \"failed\": " + failed()
                + ", \"runs\": [\n" + all + "]}\n");
    }

    private static String json(Run r) {
        Entry e = r.program().entry();
        List<String> coordinates = new ArrayList<>(e.classpath());
        coordinates.addAll(e.library());
        coordinates.addAll(e.source());
        return "{\"program\": " + quoted(e.name()) + ", \"about\": " + quoted(e.about()) + ", \"checks\": " + quoted(e.checks())
                + ", \"coordinates\": " + quoted(coordinates) + ", \"arm\": " + quoted(r.arm().toString()) + ", \"seed\": " + r.seed()
                + ", \"outcome\": " + quoted(r.passed() ? "passed" : "failed") + ", \"failure\": " + quoted(r.failure())
                + ", \"checked\": " + r.checked() + ", \"full_gcs\": " + r.number("collections") + ", \"moved_objects\": "
                + r.number("movedObjects") + ", \"moved_bytes\": " + r.number("movedBytes") + ", \"faults\": " + r.number("faults")
                + ", \"regions_freed\": " + r.number("regionsFreed") + ", \"seconds\": "
                + seconds(r.seconds()) + ", \"cpu_seconds\": " + seconds(r.number("cpuMillis") / 1e3) + ", \"command\": " + quoted(r.command()) + "}";
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(Results::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String quoted(String text) {
        StringBuilder s = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            s.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return s.append('"').toString();
    }
}
