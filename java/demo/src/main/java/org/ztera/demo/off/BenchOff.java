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
package org.ztera.demo.off;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.ztera.demo.Json;

/**
 * The program that {@code ztera bench off} runs inside each JVM: one work, as often as {@link Workload} says. It prints
 * one line of JSON: how long the measured iterations took, by the clock and by the process's CPU time (collector and
 * compiler included), what the collector did meanwhile, and the checksum of all iterations.
 */
public final class BenchOff {
    private BenchOff() {
    }

    /** Arguments: workload, source tree. */
    public static void main(String[] args) throws Exception {
        Workload workload = Workload.named(args[0]);
        System.out.println(run(workload.prepare(Path.of(args[1])), workload.warmUp, workload.measured));
        // Not the end of threads that wait for work.
        System.exit(0);
    }

    static Json run(Work work, int warmUp, int measured) throws Exception {
        long found = 0;
        for (int number = 0; number < warmUp; number++) {
            found = found * 31 + work.iterate(number);
        }
        Clocks start = Clocks.now();
        for (int number = warmUp; number < warmUp + measured; number++) {
            found = found * 31 + work.iterate(number);
        }
        return Clocks.now().since(start).put("checksum", Long.toHexString(found));
    }

    /** All in nanoseconds but for the collections. */
    private record Clocks(long wall, long cpu, long collections, long collecting) {
        static Clocks now() {
            var collectors = ManagementFactory.getGarbageCollectorMXBeans();
            return new Clocks(
                    System.nanoTime(),
                    ProcessClock.nanoseconds(),
                    collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum(),
                    collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum() * 1_000_000);
        }

        Json since(Clocks start) {
            return new Json()
                    .put("seconds", (wall - start.wall) / 1e9)
                    .put("cpu_seconds", (cpu - start.cpu) / 1e9)
                    .put("collections", collections - start.collections)
                    .put("collecting_seconds", (collecting - start.collecting) / 1e9);
        }
    }
}
