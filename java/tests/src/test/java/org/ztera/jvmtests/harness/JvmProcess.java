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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ztera.kit.Child;
import org.ztera.kit.HangRule;
import org.ztera.kit.Tools;

/** A running child VM. */
public final class JvmProcess {
    /** A child that runs this long hangs: no program of these tests takes a tenth of it. */
    private static final Duration HANG = Duration.ofSeconds(180);

    private final List<String> command;
    private final Path directory;
    private final Child child;

    JvmProcess(List<String> command, Path directory) {
        this.command = command;
        this.directory = directory;
        try {
            this.child = Child.start(command, directory);
        } catch (IOException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }

    /** Waits for the child to print a line. */
    public JvmProcess awaitLine(String line) {
        try {
            if (!child.awaitLine(line, HangRule.after(HANG))) {
                throw new AssertionError("the child never printed '" + line + "'\n" + await(HangRule.after(Duration.ZERO)).describe());
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
        return this;
    }

    /** Sends a line to the child's standard input. */
    public JvmProcess send(String line) {
        try {
            child.send(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Runs the child's jcmd on it and returns the output. */
    public String jcmd(Jdk jdk, String... arguments) {
        List<String> words = new ArrayList<>(List.of(Long.toString(child.pid())));
        words.addAll(List.of(arguments));
        return tool(jdk, "jcmd", words.toArray(String[]::new));
    }

    /** Runs the child's jcmd on it, which must fail with a status, and returns the output. */
    public String jcmdFails(Jdk jdk, String... arguments) {
        AssertionError failure;
        try {
            String said = jcmd(jdk, arguments);
            failure = new AssertionError("jcmd " + String.join(" ", arguments) + " succeeded: " + said);
        } catch (AssertionError e) {
            return e.getCause().getMessage();
        }
        throw failure;
    }

    /** Runs a tool of the child's JDK, and returns the output. */
    public static String tool(Jdk jdk, String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(jdk.home().tool(name).toString()));
        command.addAll(List.of(arguments));
        try {
            return Tools.run(command);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(command.toString(), e);
        }
    }

    /** Where it runs, and its files are. */
    public Path directory() {
        return directory;
    }

    /** The child's process. */
    public long pid() {
        return child.pid();
    }

    /** The answer of the child's jcmd about H2. */
    public JsonObject h2Info(Jdk jdk) {
        String said = jcmd(jdk, "GC.h2_info", "json");
        return JsonParser.parseString(said.substring(said.indexOf('{'))).getAsJsonObject();
    }

    /** Waits for the child's end; one that hangs is asked for its threads and killed. */
    public JvmResult await() {
        return await(HangRule.after(HANG));
    }

    private JvmResult await(HangRule rule) {
        try {
            Child.End end = child.await(rule);
            return new JvmResult(command, directory, end.hung(), end.exitCode(), child.output());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }
}
