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
package org.ztera.demo.tiers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The packages of a Linux distribution, and which depend on which.
 *
 * @param names of the packages
 * @param depends for each package, the numbers of those that it depends on
 */
record PackageGraph(String[] names, int[][] depends) {
    private static final List<String> FIELDS = List.of("Depends: ", "Pre-Depends: ", "Recommends: ");

    /** @param file paragraphs as in {@code /var/lib/dpkg/status}, and as {@code apt-cache dumpavail} prints them */
    static PackageGraph read(Path file) throws IOException {
        Map<String, List<String>> packages = new HashMap<>();
        List<String> order = new ArrayList<>();
        List<String> current = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("Package: ")) {
                    String name = line.substring(line.indexOf(' ') + 1);
                    current = packages.computeIfAbsent(name, _ -> new ArrayList<>());
                    order.add(name);
                }
                for (String field : FIELDS) {
                    if (line.startsWith(field)) {
                        addNames(line.substring(field.length()), current);
                    }
                }
            }
        }
        return numbered(order.stream().distinct().toArray(String[]::new), packages);
    }

    /** {@code libc6 (>= 2.34), a | b:any}: the names, alternatives included. */
    private static void addNames(String field, List<String> names) {
        for (String item : field.split("[,|]")) {
            String name = item.strip().split("[ :(]", 2)[0];
            if (!names.contains(name)) {
                names.add(name);
            }
        }
    }

    private static PackageGraph numbered(String[] names, Map<String, List<String>> packages) {
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            numbers.put(names[i], i);
        }
        int[][] depends = new int[names.length][];
        for (int i = 0; i < names.length; i++) {
            depends[i] = packages.get(names[i]).stream()
                    .map(numbers::get)
                    .filter(number -> number != null)
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        return new PackageGraph(names, depends);
    }

    int size() {
        return names.length;
    }

    long edges() {
        return Arrays.stream(depends).mapToLong(list -> list.length).sum();
    }
}
