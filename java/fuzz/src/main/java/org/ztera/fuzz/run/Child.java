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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child JVM that runs programs, and how it ended. */
final class Child {
    /** A child without progress that has used so much CPU time hangs; no program needs a tenth of it. In seconds. */
    private static final long BUSY = 120;
    /**
     * One that has used next to no CPU time for so long waits for itself; one that starves on a busy machine has used
     * some.
     */
    private static final Duration IDLE = Duration.ofMinutes(15);
    private static final long IDLE_CPU_SECONDS = 5;

    /** @param exitCode of the process; what a killed one has is of no interest */
    record End(int exitCode, boolean hung, TraceFile trace) {
        boolean isGood() {
            return exitCode == 0 && !hung;
        }
    }

    private final Path directory;
    private final Process process;
    private final Path trace;
    private long size = -1;
    private long lastProgress;
    private Duration cpuThen = Duration.ZERO;

    private Child(Path directory, Path trace, Process process) {
        this.directory = directory;
        this.trace = trace;
        this.process = process;
    }

    /**
     * Runs a child to its end.
     *
     * @param directory where it runs and leaves its output, log and crash report; exists
     * @param trace the file that it writes
     */
    static End run(List<String> command, Path directory, Path trace) throws IOException, InterruptedException {
        Files.deleteIfExists(trace);
        Files.createFile(trace);
        ProcessBuilder b = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.txt").toFile());
        // Nothing of the surroundings may add flags.
        b.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        Child child = new Child(directory, trace, b.start());
        try {
            boolean hung = child.await();
            return new End(child.process.exitValue(), hung, TraceFile.read(trace));
        } finally {
            child.process.destroyForcibly();
        }
    }

    private boolean await() throws IOException, InterruptedException {
        lastProgress = System.nanoTime();
        while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
            if (hangs()) {
                new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
                process.waitFor(10, TimeUnit.SECONDS);
                process.destroyForcibly().waitFor();
                return true;
            }
        }
        return false;
    }

    private boolean hangs() throws IOException {
        long sizeNow = Files.size(trace);
        Duration cpu = process.info().totalCpuDuration().orElse(Duration.ZERO);
        if (sizeNow != size) {
            size = sizeNow;
            lastProgress = System.nanoTime();
            cpuThen = cpu;
        }
        long used = cpu.minus(cpuThen).toSeconds();
        boolean waits = used < IDLE_CPU_SECONDS && System.nanoTime() - lastProgress > IDLE.toNanos();
        return waits || used > Long.getLong("fuzz.busySeconds", BUSY);
    }

    @Override
    public String toString() {
        return "child in " + directory;
    }
}
