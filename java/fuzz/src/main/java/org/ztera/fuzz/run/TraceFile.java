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
package org.ztera.fuzz.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The output of a child JVM: {@code >} begins a run of a program, {@code <} ends it, a space precedes an
 * observation, {@code !} a failed check, {@code =} a number about the whole child.
 *
 * @param runs of programs, in order; the last one may lack its end
 * @param totals by name
 */
record TraceFile(List<Run> runs, Map<String, Long> totals) {

    /** One run of a program: what it observed, a failed check among it. */
    record Run(String program, List<String> lines, boolean ended, boolean failed) {}

    static TraceFile read(Path file) throws IOException {
        List<Run> runs = new ArrayList<>();
        Map<String, Long> totals = new TreeMap<>();
        String program = null;
        List<String> lines = new ArrayList<>();
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList()) {
            char kind = line.isEmpty() ? '?' : line.charAt(0);
            String text = line.isEmpty() ? "" : line.substring(1);
            switch (kind) {
                case '>' -> {
                    program = text;
                    lines = new ArrayList<>();
                }
                case '<', '!' -> {
                    if (kind == '!') {
                        lines.add("FAILED " + text);
                    }
                    runs.add(new Run(program, lines, true, kind == '!'));
                    program = null;
                }
                case '=' -> totals.merge(text.substring(0, text.lastIndexOf(' ')),
                        Long.parseLong(text.substring(text.lastIndexOf(' ') + 1)), Long::sum);
                default -> lines.add(text);
            }
        }
        if (program != null) {
            runs.add(new Run(program, lines, false, false));
        }
        return new TraceFile(runs, totals);
    }
}
