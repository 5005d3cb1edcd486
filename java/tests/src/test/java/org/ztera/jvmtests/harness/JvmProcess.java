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
package org.ztera.jvmtests.harness;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running child VM. Its output is collected by a thread of its own. */
public final class JvmProcess {
    /** A child that runs this long hangs: no program of these tests takes a tenth of it. */
    private static final long HANG_SECONDS = 180;

    private final List<String> command;
    private final Path directory;
    private final Process process;
    private final List<String> output = Collections.synchronizedList(new ArrayList<>());
    private final Thread reader;

    JvmProcess(List<String> command, Path directory, Process process) {
        this.command = command;
        this.directory = directory;
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().start(this::read);
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                output.add(line);
            }
        } catch (IOException e) {
            output.add("(output lost: " + e + ")");
        }
    }

    /** Waits for the child to print a line. */
    public JvmProcess awaitLine(String line) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (!output.contains(line)) {
            if (!process.isAlive() && !reader.isAlive() && !output.contains(line) || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new AssertionError("the child never printed '" + line + "'\n" + await().describe());
            }
            sleep();
        }
        return this;
    }

    private static void sleep() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a line to the child's standard input. */
    public JvmProcess send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Runs the child's jcmd on it and returns the output. */
    public String jcmd(Jdk jdk, String... arguments) {
        List<String> jcmd = new ArrayList<>(List.of(jdk.tool("jcmd").toString(), Long.toString(process.pid())));
        jcmd.addAll(List.of(arguments));
        try {
            Process p = new ProcessBuilder(jcmd).redirectErrorStream(true).start();
            String text;
            try (BufferedReader in = new BufferedReader(new InputStreamReader(p.getInputStream(), StandardCharsets.UTF_8))) {
                text = String.join("\n", in.lines().toList());
            }
            if (p.waitFor() != 0) {
                throw new AssertionError(jcmd + " failed:\n" + text);
            }
            return text;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(jcmd.toString(), e);
        }
    }

    /** The answer of the child's jcmd about H2. */
    public JsonObject h2Info(Jdk jdk) {
        String said = jcmd(jdk, "GC.h2_info", "json");
        return JsonParser.parseString(said.substring(said.indexOf('{'))).getAsJsonObject();
    }

    /** Waits for the child's end; one that hangs is asked for its threads and killed. */
    public JvmResult await() {
        try {
            boolean hangs = !process.waitFor(HANG_SECONDS, TimeUnit.SECONDS);
            if (hangs) {
                new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
                process.waitFor(5, TimeUnit.SECONDS);
                process.destroyForcibly().waitFor();
            }
            reader.join();
            List<String> lines = List.copyOf(output);
            Files.write(directory.resolve("output.txt"), lines);
            return new JvmResult(command, directory, hangs, process.exitValue(), lines);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }
}
