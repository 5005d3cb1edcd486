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

/** Native code of the tests, compiled with {@code cc} when first needed. */
public final class NativeLibrary {
    private static Path heapAgent;

    private NativeLibrary() {}

    /** The library of {@code org.ztera.jvmtests.child.NativeHeap}. */
    public static synchronized Path heapAgent() {
        if (heapAgent == null) {
            heapAgent = compile("heapagent");
        }
        return heapAgent;
    }

    private static Path compile(String name) {
        Path source = Path.of(System.getProperty("ztera.tests.native", "src/test/native")).resolve(name + ".c");
        Path include = Jdk.RELEASE.home().resolve("include");
        try {
            Path directory = Files.createDirectories(
                    Path.of(System.getProperty("ztera.tests.dir", "target/runs")).toAbsolutePath().resolve("native"));
            Path library = directory.resolve("lib" + name + ".so");
            run(List.of("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared",
                    "-I" + include, "-I" + include.resolve("linux"), "-o", library.toString(), source.toString()));
            return library;
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
