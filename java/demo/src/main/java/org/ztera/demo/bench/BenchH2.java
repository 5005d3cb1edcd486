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

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ztera.H2;
import org.ztera.demo.H2Report;
import org.ztera.demo.Json;
import org.ztera.demo.source.SourceFile;
import org.ztera.demo.source.SourceTree;

/**
 * The program that {@code ztera bench h2} runs inside the JVM. It takes commands from standard input, one a line, and
 * answers each with one line of JSON, so that the command can do between two steps what only it can do
 * (empty the file cache, read the collector's log).
 *
 * <pre>
 * build               builds the data and collects, so that nothing but live data is left
 * move                moves it to the second heap
 * settle              waits until all of it is compressed
 * read sequential     reads one byte of each page, from first to last
 * read random SEED    the same in a random order
 * </pre>
 *
 * Before each read a second set of blocks, larger than what may be resident, is read: it pushes the first
 * one out, so that every page is a first read.
 */
public final class BenchH2 {
    private static final long LABEL = 1;

    private final BenchData data;
    private final long bytes;
    private final long chaserBytes;
    private final List<SourceFile> source;
    private Object root;
    private byte[][] chaser;

    private BenchH2(BenchData data, long bytes, long chaserBytes, Path source) throws IOException {
        this.data = data;
        this.bytes = bytes;
        this.chaserBytes = chaserBytes;
        this.source = SourceTree.list(source);
    }

    /** Arguments: {@code arrays|objects|mixed}, bytes of data, bytes of the second set, source tree. */
    public static void main(String[] args) throws Exception {
        BenchH2 bench =
                new BenchH2(BenchData.named(args[0]), Long.parseLong(args[1]), Long.parseLong(args[2]), Path.of(args[3]));
        Commands.answer(bench::run);
    }

    private Json run(String[] command) throws Exception {
        return switch (command[0]) {
            case "build" -> build();
            case "move" -> move();
            case "settle" -> settle();
            case "read" -> read(command);
            default -> throw new IllegalArgumentException(command[0]);
        };
    }

    private Json build() throws IOException {
        root = data.build(bytes, source);
        chaser = Blocks.of(Math.toIntExact(chaserBytes / Blocks.BLOCK_BYTES), source).blocks;
        H2.tag(chaser, LABEL + 1);
        H2.moveNow(LABEL + 1);
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return new Json().put("live_bytes", runtime.totalMemory() - runtime.freeMemory());
    }

    private Json move() {
        long before = H2.stats().movedBytes();
        H2.tag(root, LABEL);
        H2.moveNow(LABEL);
        return new Json()
                .put("moved_bytes", H2.stats().movedBytes() - before)
                .put("in_h2", H2.contains(root));
    }

    private Json settle() throws InterruptedException {
        long start = System.nanoTime();
        Commands.settle();
        return new Json().put("seconds", (System.nanoTime() - start) / 1e9).put("h2", H2Report.json(H2.stats()));
    }

    private Json read(String[] command) {
        if (!(root instanceof byte[][] blocks)) {
            throw new IllegalArgumentException("only arrays can be read page by page");
        }
        // Both live in H2 now; copies in H1 of the few references keep their pages out of the measurement.
        byte[][] pages = blocks.clone();
        PageReads.sequential(chaser.clone());
        long faults = H2.stats().faultCount();
        PageReads.Result result = command[1].equals("random")
                ? PageReads.random(pages, Long.parseLong(command[2]))
                : PageReads.sequential(pages);
        return new Json()
                .put("pages", result.pages())
                .put("seconds", result.seconds())
                .put("sum", result.sum())
                .put("faults", H2.stats().faultCount() - faults);
    }
}
