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
package org.ztera.demo.bench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;
import org.ztera.demo.H2Report;
import org.ztera.demo.Json;
import org.ztera.demo.source.SourceFile;
import org.ztera.demo.source.SourceTree;

/**
 * The program that {@code ztera bench pauses} runs inside the JVM to see what a full second heap costs at each
 * collection. It takes commands and answers as {@link BenchH2} does; the pauses themselves are in the collector's log.
 *
 * <pre>
 * fill BYTES          moves so much data to the second heap, part by part
 * live BYTES          builds data that stays in the first heap, and has it promoted
 * settle              waits until all is compressed
 * full N              N full collections
 * young N SHARE       N young collections; before each, writes to this share of what is in the second heap
 * </pre>
 *
 * The written part lies together: so much of the beginning of each part's small objects.
 */
public final class BenchPauses {
    private static final long PART_BYTES = 128L << 20;
    private static final int GARBAGE_BYTES = 64 << 10;

    private final List<SourceFile> source;
    private final List<Mixed> parts = new ArrayList<>();
    private final GarbageCollectorMXBean young;
    private long partBytes;
    private Mixed live;
    /** Where garbage is written to, so that it is not optimised away. */
    private byte[] garbage;

    private BenchPauses(Path source) throws Exception {
        this.source = SourceTree.list(source);
        young = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> bean.getName().equals("PS Scavenge"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this takes the Parallel collector"));
    }

    /** Argument: source tree. */
    public static void main(String[] args) throws Exception {
        BenchPauses bench = new BenchPauses(Path.of(args[0]));
        Commands.answer(bench::run);
    }

    private Json run(String[] command) throws Exception {
        switch (command[0]) {
            case "fill" -> fill(Long.parseLong(command[1]));
            case "live" -> {
                live = Mixed.of(Long.parseLong(command[1]), source);
                System.gc();
            }
            case "settle" -> Commands.settle();
            case "full" -> {
                for (int i = Integer.parseInt(command[1]); i > 0; i--) {
                    System.gc();
                }
            }
            case "young" -> {
                for (int i = Integer.parseInt(command[1]); i > 0; i--) {
                    write(Double.parseDouble(command[2]));
                    collectYoung();
                }
            }
            default -> throw new IllegalArgumentException(command[0]);
        }
        return new Json().put("h2", H2Report.json(H2.stats()));
    }

    private void fill(long bytes) throws Exception {
        partBytes = Math.min(bytes, PART_BYTES);
        for (long filled = 0; filled < bytes; filled += partBytes) {
            Mixed part = Mixed.of(partBytes, source);
            parts.add(part);
            H2.tag(part, parts.size());
            H2.moveNow(parts.size());
            if (!H2.contains(part)) {
                throw new IllegalStateException("part " + parts.size() + " found no room in the second heap");
            }
        }
    }

    private void write(double share) {
        for (Mixed part : parts) {
            part.records().write((long) (share * partBytes));
        }
    }

    private void collectYoung() {
        long before = young.getCollectionCount();
        while (young.getCollectionCount() == before) {
            garbage = new byte[GARBAGE_BYTES];
        }
    }
}
