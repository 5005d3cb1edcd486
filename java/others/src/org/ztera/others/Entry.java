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
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A program, as {@code programs/<name>.properties} describes it. Lists are separated by blanks.
 *
 * @param name the file's name
 * @param about what the program is, in a few words
 * @param checks what is checked
 * @param classpath Maven coordinates of the program ({@code group:artifact:version[:classifier]})
 * @param library coordinates of what a compiler needs to see; {@code ${library}} in the arguments
 * @param source coordinates of a library whose sources jar is unpacked; {@code ${source}} in the arguments
 * @param files folders whose files that end in {@code suffix} are listed in the file {@code ${files}}
 * @param suffix see {@code files}
 * @param workloads the folders of {@code workloads} with our own part of the program
 * @param main the main class
 * @param vm more options for the JVM
 * @param args the program's arguments; {@code ${jdk}} is the OpenJDK source tree
 * @param heap the limit of the ordinary heap, as for {@code -Xmx}
 * @param h2Size as for {@code -XX:H2Size}
 * @param every megabytes that are allocated from one full collection to the next
 * @param minimum the least number of objects that have to move for the check to count
 * @param seconds about how long it takes on the stock JDK; a run of many times that counts as hung
 * @param arms the arms besides stock
 */
record Entry(String name, String about, String checks, List<String> classpath, List<String> library, List<String> source,
        List<String> files, String suffix, List<String> workloads, String main, List<String> vm, List<String> args, String heap,
        String h2Size, long every, long minimum, long seconds, List<Arm> arms) {

    private static final Set<String> KEYS = Set.of("about", "checks", "classpath", "library", "source", "files", "suffix",
            "workload", "main", "vm", "args", "heap", "h2Size", "every", "minimum", "seconds", "arms", "quick.args", "quick.arms");

    /** All entries, in the order of their names; of the quick selection only those that name {@code quick.arms}. */
    static List<Entry> readAll(Path folder, boolean quick) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".properties")).sorted().toList()) {
                Properties p = new Properties();
                try (var in = Files.newBufferedReader(file)) {
                    p.load(in);
                }
                if (!quick || p.containsKey("quick.arms")) {
                    entries.add(read(file, p, quick ? "quick." : ""));
                }
            }
        }
        return entries;
    }

    private static Entry read(Path file, Properties p, String prefix) {
        for (String key : p.stringPropertyNames()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(file + ": unknown key " + key);
            }
        }
        String name = file.getFileName().toString().replace(".properties", "");
        String args = p.getProperty(prefix + "args", p.getProperty("args", ""));
        List<Arm> arms = words(p.getProperty(prefix + "arms", "mixed compact wide fastdebug")).stream().map(Arm::named).toList();
        return new Entry(name, needed(p, "about"), needed(p, "checks"), words(p.getProperty("classpath", "")),
                words(p.getProperty("library", "")), words(p.getProperty("source", "")), words(p.getProperty("files", "${source}")),
                p.getProperty("suffix", ""), words(p.getProperty("workload", "")), needed(p, "main"), words(p.getProperty("vm", "")),
                words(args), p.getProperty("heap", "128m"), p.getProperty("h2Size", "512m"),
                Long.parseLong(p.getProperty("every", "16")), Long.parseLong(p.getProperty("minimum", "1000")),
                Long.parseLong(needed(p, "seconds")), arms);
    }

    private static String needed(Properties p, String key) {
        String value = p.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("an entry needs the key " + key);
        }
        return value;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.strip().split("\\s+")).filter(w -> !w.isEmpty()).toList();
    }
}
