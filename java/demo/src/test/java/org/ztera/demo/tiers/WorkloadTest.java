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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ztera.demo.SmallTree;

class WorkloadTest {
    private static final Pattern CHECKSUM = Pattern.compile("\"checksum\":\"(\\w+)\"");

    @TempDir
    Path dir;

    @Test
    void theSeedDecidesWhatIsFound() throws Exception {
        Path packages = Files.writeString(dir.resolve("packages"), PackageGraphTest.PACKAGES);
        Path source = SmallTree.create(dir.resolve("source"));
        for (String name : new String[] {"demo-zipf", "demo-uniform", "vectors", "graph"}) {
            Path input = name.equals("graph") ? packages : source;
            assertEquals(checksum(name, input, 1), checksum(name, input, 1), name);
            assertNotEquals(checksum(name, input, 1), checksum(name, input, 2), name);
        }
    }

    private static String checksum(String name, Path input, long seed) throws Exception {
        String report = BenchTiers.run(BenchTiers.workload(name, input, seed), new Groups(1 << 20)).toString();
        Matcher matcher = CHECKSUM.matcher(report);
        assertTrue(matcher.find(), report);
        return matcher.group(1);
    }

    @Test
    void onAStockJvmNoSecondHeapIsDescribed() throws Exception {
        String report = BenchTiers.run(BenchTiers.workload("vectors", dir, 1), new Groups(1 << 20)).toString();
        assertTrue(report.contains("\"used_bytes\"") && !report.contains("h2_info_after_queries"), report);
    }

    @Test
    void fewArePickedMostly() {
        int[] picked = new int[100];
        Picker zipf = Picker.zipf(picked.length, new Random(1));
        Random random = new Random(2);
        for (int i = 0; i < 100_000; i++) {
            picked[zipf.pick(random)]++;
        }
        Arrays.sort(picked);
        assertTrue(picked[99] > 15_000 && picked[99] < 22_000, () -> "first: " + picked[99]);
        assertTrue(picked[0] > 0 && picked[0] < 500, () -> "last: " + picked[0]);
    }

    @Test
    void allArePickedAlike() {
        int[] picked = new int[10];
        Picker uniform = Picker.uniform(picked.length);
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            picked[uniform.pick(random)]++;
        }
        for (int count : picked) {
            assertTrue(count > 850 && count < 1150, () -> "count: " + count);
        }
    }
}
