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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Short-lived tools. */
public final class Tools {
    private Tools() {}

    /**
     * Runs a command to its end and returns what it printed on both streams.
     *
     * @throws IOException if it does not start, or fails; the message has the command and its output
     */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + output);
        }
        return output;
    }

    /**
     * Compiles C against the headers of a JDK, with {@code cc}.
     *
     * @param options besides those for warnings and headers
     */
    public static void compileC(JavaHome jdk, Path source, Path binary, String... options)
            throws IOException, InterruptedException {
        Path include = jdk.path().resolve("include");
        List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1",
                "-I" + include, "-I" + include.resolve("linux"), "-o", binary.toString(), source.toString()));
        command.addAll(List.of(options));
        try {
            run(command);
        } catch (IOException e) {
            throw new IOException("cannot compile " + source + " with the C compiler 'cc' (package gcc)", e);
        }
    }
}
