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
package org.ztera.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A running child JVM. Its output, on both streams, goes to a file. One thread uses an object of this class. */
public final class Child {
    private static final Set<String> FOREIGN_FLAGS = Set.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");
    private static final long POLL_MILLIS = 20;
    /** A child that has not printed its stacks within this prints none. */
    private static final long DUMP_MILLIS = 10_000;
    private static final long DUMP_RESTS_MILLIS = 500;

    private final Process process;
    private final Path output;

    private Child(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * How a child ended.
     *
     * @param exitCode of the process; that of a killed one has no meaning
     * @param hung a rule said so, and the child was killed
     */
    public record End(int exitCode, boolean hung) {
        /** It ended by itself, and was content. */
        public boolean isGood() {
            return exitCode == 0 && !hung;
        }
    }

    /**
     * Starts a child in a folder, where its output will be in {@code output.txt}. Flags from the environment do not
     * reach it.
     *
     * @param directory exists
     */
    public static Child start(List<String> command, Path directory) throws IOException {
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeAll(FOREIGN_FLAGS);
        return new Child(builder.start(), output);
    }

    /** The process's number. */
    public long pid() {
        return process.pid();
    }

    /** The CPU time it has used, or zero where the system does not tell. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** All lines that it has printed so far. */
    public List<String> output() throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
    }

    /** Sends a line to its standard input. */
    public void send(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits until the child has printed a line. Returns false if it ends, or hangs, without that. */
    public boolean awaitLine(String line, HangRule rule) throws IOException, InterruptedException {
        while (true) {
            // Asked first: a child that prints the line and ends has printed it.
            boolean alive = process.isAlive();
            if (output().contains(line)) {
                return true;
            }
            if (!alive || rule.hangs(this)) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /**
     * Waits for the child's end. A child that hangs prints the stacks of its threads and is killed; a child whose
     * waiter is interrupted is killed, too.
     */
    public End await(HangRule rule) throws IOException, InterruptedException {
        try {
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (rule.hangs(this)) {
                    dumpAndKill();
                    return new End(process.exitValue(), true);
                }
            }
            return new End(process.exitValue(), false);
        } finally {
            process.destroyForcibly();
        }
    }

    private void dumpAndKill() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(pid())).start().waitFor();
        awaitDump();
        process.destroyForcibly().waitFor();
    }

    /** Waits until the stacks are printed: their output has begun, and rests. */
    private void awaitDump() throws IOException, InterruptedException {
        long end = System.nanoTime() + DUMP_MILLIS * 1_000_000;
        long size = -1;
        while (System.nanoTime() - end < 0 && !process.waitFor(DUMP_RESTS_MILLIS, TimeUnit.MILLISECONDS)) {
            long before = size;
            size = Files.size(output);
            if (size == before && String.join("\n", output()).contains("Full thread dump")) {
                return;
            }
        }
    }
}
