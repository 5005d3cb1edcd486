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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.ztera.jvmtests.child.Child;

/** How a child VM ended. Each assertion that fails shows the command and the end of the output. */
public record JvmResult(List<String> command, Path directory, boolean hung, int exitCode, List<String> output) {

    /** The program found nothing wrong, and neither did the VM. It also names what it could not look at. */
    public JvmResult passed() {
        noCrash();
        check(exitCode == 0, "exit code " + exitCode);
        check(output.contains(Child.PASSED), "no line '" + Child.PASSED + "'");
        output.stream().filter(line -> line.startsWith("SKIPPED, ")).forEach(System.out::println);
        return this;
    }

    /** The VM did what it was for, without running the program. */
    public JvmResult ended() {
        noCrash();
        check(exitCode == 0, "exit code " + exitCode);
        return this;
    }

    /** The VM refused to start, in an orderly way, with a message that contains all of this. */
    public JvmResult refused(String... parts) {
        noCrash();
        check(exitCode == 1, "exit code " + exitCode + " where 1 was expected of a VM that refuses to start");
        String all = text();
        check(all.contains("Error occurred during initialization of VM")
                || all.contains("Could not create the Java Virtual Machine"), "it does not say that there is no VM");
        for (String part : parts) {
            check(Pattern.compile(part).matcher(all).find(), "the message lacks '" + part + "'");
        }
        return this;
    }

    /** The VM crashed and left a report. */
    public String crashReport() {
        check(!hung, "the child hung");
        check(exitCode != 0, "exit code 0 where a crash was expected");
        List<Path> reports = crashReports();
        check(reports.size() == 1, "crash reports: " + reports);
        return read(reports.getFirst());
    }

    /** A line that matches exists. */
    public JvmResult line(String regex) {
        check(output.stream().anyMatch(Pattern.compile(regex).asPredicate()), "no line with '" + regex + "'");
        return this;
    }

    /** No line matches. */
    public JvmResult noLine(String regex) {
        check(output.stream().noneMatch(Pattern.compile(regex).asPredicate()), "a line with '" + regex + "'");
        return this;
    }

    /** The rest of each line that starts with the word. */
    public List<String> lines(String word) {
        return output.stream().filter(l -> l.startsWith(word + " ")).map(l -> l.substring(word.length() + 1)).toList();
    }

    /** A line of the GC log matches. Says nothing on a stock JVM, which keeps no such log. */
    public JvmResult logged(String regex) {
        if (!Jdk.STOCK) {
            String log = read(directory.resolve("gc.log"));
            check(Pattern.compile(regex, Pattern.MULTILINE).matcher(log).find(), "nothing like '" + regex + "' in gc.log");
        }
        return this;
    }

    /** No line of the GC log matches. */
    public JvmResult notLogged(String regex) {
        if (!Jdk.STOCK) {
            String log = read(directory.resolve("gc.log"));
            check(!Pattern.compile(regex, Pattern.MULTILINE).matcher(log).find(), "something like '" + regex + "' in gc.log");
        }
        return this;
    }

    /** At most so many lines of the GC log match. */
    public JvmResult loggedAtMost(long most, String regex) {
        if (!Jdk.STOCK) {
            long lines = read(directory.resolve("gc.log")).lines().filter(Pattern.compile(regex).asPredicate()).count();
            check(lines <= most, lines + " lines like '" + regex + "' in gc.log");
        }
        return this;
    }

    /** All output as one text. */
    public String text() {
        return String.join("\n", output);
    }

    private void noCrash() {
        check(!hung, "the child hung and was killed");
        check(crashReports().isEmpty(), "the VM crashed: " + crashReports());
        check(output.stream().noneMatch(l -> l.contains("A fatal error has been detected")), "the VM crashed");
    }

    private List<Path> crashReports() {
        try (var files = Files.list(directory)) {
            return files.filter(p -> p.getFileName().toString().startsWith("hs_err")).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }

    private void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message + "\n" + describe());
        }
    }

    /** Command, directory and the end of the output. */
    public String describe() {
        int from = Math.max(0, output.size() - 60);
        return "command: " + String.join(" ", command) + "\ndirectory: " + directory + "\nexit code: " + exitCode
                + "\noutput" + (from > 0 ? " (last 60 lines)" : "") + ":\n"
                + String.join("\n", output.subList(from, output.size()));
    }
}
