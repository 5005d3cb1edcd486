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
import java.util.ArrayList;
import java.util.List;

/** Native code of the tests, compiled with {@code cc} when first needed. */
public final class NativeLibrary {
    private static Path heapAgent;
    private static Path withoutUserfaultfd;

    private NativeLibrary() {}

    /** The library of {@code org.ztera.jvmtests.child.NativeHeap}. */
    public static synchronized Path heapAgent() {
        if (heapAgent == null) {
            heapAgent = compile("heapagent", "libheapagent.so", "-fPIC", "-shared");
        }
        return heapAgent;
    }

    /** A program that runs another, to which the kernel then refuses userfaultfd. */
    public static synchronized Path withoutUserfaultfd() {
        if (withoutUserfaultfd == null) {
            withoutUserfaultfd = compile("without_userfaultfd", "without_userfaultfd");
        }
        return withoutUserfaultfd;
    }

    private static Path compile(String name, String result, String... options) {
        Path source = Path.of(System.getProperty("ztera.tests.native", "src/test/native")).resolve(name + ".c");
        Path include = Jdk.RELEASE.home().resolve("include");
        try {
            Path directory = Files.createDirectories(
                    Path.of(System.getProperty("ztera.tests.dir", "target/runs")).toAbsolutePath().resolve("native"));
            Path binary = directory.resolve(result);
            List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1",
                    "-I" + include, "-I" + include.resolve("linux"), "-o", binary.toString(), source.toString()));
            command.addAll(List.of(options));
            run(command);
            return binary;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("cannot compile " + source + "; the test needs the C compiler 'cc' (package gcc)", e);
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (p.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + "\n" + output);
        }
    }
}
