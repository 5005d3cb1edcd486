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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The programs' native code, compiled with {@code cc}. */
final class NativeLibrary {
    private NativeLibrary() {}

    /** Compiles it into a folder, against the headers of a JDK. */
    static Path compile(Path jdk, Path directory) throws IOException, InterruptedException {
        Path source = Files.createDirectories(directory).resolve("fuzz.c");
        try (InputStream in = NativeLibrary.class.getResourceAsStream("/org/ztera/fuzz/fuzz.c")) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path library = directory.resolve("libfuzz.so");
        Path include = jdk.resolve("include");
        List<String> command = List.of("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-I" + include,
                "-I" + include.resolve("linux"), "-o", library.toString(), source.toString());
        Process p;
        try {
            p = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException("the fuzzer needs the C compiler 'cc' (package gcc)", e);
        }
        String output = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (p.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + "\n" + output);
        }
        return library;
    }
}
