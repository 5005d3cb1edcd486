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
package org.ztera.jvmtests.child;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ztera.H2;

/**
 * Fills H2 as far as the limit allows, and then needs memory beside the heap, all at once. Arguments are the kind of
 * memory, the MiB of it, and the MiB of data. A reader goes on meanwhile, and the data must still be there.
 */
public final class Grows {
    private static final int PAGE = 4096;
    private static final int PIECE = 2 << 20;
    private static final int WORDS = 2048;
    private static final int ROWS_PER_GROUP = 4096;
    private static final int THREADS = 8;

    private static int[][] rows;
    private static List<int[][]> groups = new ArrayList<>();
    private static volatile boolean done;

    private Grows() {}

    public static void main(String[] args) {
        Child.main(() -> test(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2])));
    }

    private static void test(String kind, int mib, int dataMib) throws Exception {
        fill(dataMib * (1 << 20) / (WORDS * Integer.BYTES));
        check(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        Future<?> reader = threads.submit(() -> {
            while (!done) {
                check(16);
            }
        });
        grow(kind, mib << 20, threads);
        done = true;
        reader.get();
        threads.shutdown();
        check(1);
    }

    private static void fill(int count) {
        rows = new int[count][];
        for (int i = 0; i < count; i++) {
            rows[i] = new int[WORDS];
            for (int j = 0; j < WORDS; j++) {
                rows[i][j] = value(i, j);
            }
            if (i % ROWS_PER_GROUP == ROWS_PER_GROUP - 1) {
                int[][] group = java.util.Arrays.copyOfRange(rows, i - ROWS_PER_GROUP + 1, i + 1);
                groups.add(group);
                H2.tag(group, i);
                H2.moveNow(i);
            }
        }
    }

    private static int value(int i, int j) {
        return i * 3 + j / 9;
    }

    private static void check(int step) {
        for (int i = 0; i < rows.length; i += step) {
            for (int j = 0; j < WORDS; j += 301) {
                if (rows[i][j] != value(i, j)) {
                    throw new AssertionError("row " + i + " at " + j);
                }
            }
        }
    }

    private static void grow(String kind, int bytes, ExecutorService threads) throws Exception {
        switch (kind) {
            case "direct" -> touchDirect(bytes);
            case "threads" -> {
                List<Callable<Object>> parts = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    parts.add(() -> touchDirect(bytes / THREADS));
                }
                for (Future<Object> part : threads.invokeAll(parts)) {
                    part.get();
                }
            }
            case "mapped" -> touchMapped(bytes);
            case "child" -> touchInChild(bytes);
            // The parent takes memory away.
            case "waits" -> Child.ready();
            default -> throw new AssertionError(kind);
        }
    }

    private static Object touchDirect(int bytes) {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < bytes / PIECE; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
            touch(buffer);
            buffers.add(buffer);
        }
        return buffers;
    }

    private static void touch(ByteBuffer buffer) {
        for (int at = 0; at < buffer.capacity(); at += PAGE) {
            buffer.put(at, (byte) 1);
        }
    }

    /** Pages of such a file are memory that only swap could free. */
    private static void touchMapped(int bytes) throws IOException {
        Path file = Files.createTempFile(Path.of("/dev/shm"), "ztera", ".mapped");
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            MappedByteBuffer mapped = open.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            touch(mapped);
        } finally {
            Files.delete(file);
        }
    }

    /** {@code tail} keeps all that it is given. */
    private static void touchInChild(int bytes) throws Exception {
        String command = "head -c %d /dev/zero | tail -c %d | wc -c".formatted(bytes, bytes);
        Process child = new ProcessBuilder("sh", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String counted = new String(child.getInputStream().readAllBytes()).trim();
        Child.equal(0, child.waitFor(), "exit code of the child");
        Child.equal(Integer.toString(bytes), counted, "bytes of the child");
    }
}
