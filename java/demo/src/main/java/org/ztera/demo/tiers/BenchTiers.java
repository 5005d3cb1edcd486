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

import java.io.IOException;
import java.nio.file.Path;
import org.ztera.H2;
import org.ztera.demo.H2Info;
import org.ztera.demo.H2Report;
import org.ztera.demo.Json;
import org.ztera.demo.Progress;

/**
 * The program that {@code ztera bench tiers} runs inside the JVM: one workload from its beginning to its end. Prints
 * one line of JSON with the times and a checksum of all that was found, and on standard error how far it is.
 */
public final class BenchTiers {
    private BenchTiers() {
    }

    /** Arguments: workload, bytes of live data, seed, the workload's input. */
    public static void main(String[] args) throws IOException {
        Workload workload = workload(args[0], Path.of(args[3]), Long.parseLong(args[2]));
        System.out.println(run(workload, new Groups(Long.parseLong(args[1]))));
    }

    /** The workload of that name. */
    public static Workload workload(String name, Path input, long seed) {
        return switch (name) {
            case "demo-zipf" -> new CodeWorkload(input, true, seed);
            case "demo-uniform" -> new CodeWorkload(input, false, seed);
            case "vectors" -> new VectorWorkload(seed);
            case "graph" -> new GraphWorkload(input, seed);
            default -> throw new IllegalArgumentException("no such workload: " + name);
        };
    }

    /** @return the report */
    public static Json run(Workload workload, Groups groups) throws IOException {
        long start = System.nanoTime();
        workload.load(groups);
        Json report = new Json()
                .put("load_seconds", secondsSince(start))
                .put("io_after_load", ProcessIo.json())
                .put("h2_after_load", H2Report.json(H2.stats()));

        start = System.nanoTime();
        long found = operate(workload);
        report.put("query_seconds", secondsSince(start))
                .put("operations", (long) workload.operations())
                .put("checksum", Long.toHexString(found))
                .put("io_after_queries", ProcessIo.json())
                .put("h2_after_queries", H2Report.json(H2.stats()))
                .put("used_bytes", usedBytes());
        // Last, and timed by itself: the first use of JMX loads hundreds of classes.
        start = System.nanoTime();
        H2Info.json().ifPresent(info -> report.raw("h2_info_after_queries", info));
        return report.put("h2_info_seconds", secondsSince(start));
    }

    private static long operate(Workload workload) {
        Progress progress = new Progress("query", workload.operations());
        long found = 0;
        for (int number = 0; number < workload.operations(); number++) {
            found = found * 31 + workload.operate(number);
            progress.add(1, "");
        }
        return found;
    }

    /** Both heaps, garbage of the first one included: no collection is made just to know. */
    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory() + H2.stats().usedBytes();
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
