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
package org.ztera.jvmtests.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The file of the SSD tier, which has no name. */
final class SsdFile {
    private static final Path DIRECTORY = Path.of(System.getProperty("ztera.soak.directory")).toAbsolutePath();

    private SsdFile() {}

    /** Bytes that it takes on its file system. */
    static long allocated() throws IOException {
        Process stat = new ProcessBuilder("stat", "--dereference", "--format=%b", find().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        // Closed here and now, and not when somebody finds out that the process has ended: open files are counted.
        stat.getOutputStream().close();
        try (BufferedReader out = stat.inputReader()) {
            return 512 * Long.parseLong(out.readLine());
        }
    }

    private static Path find() throws IOException {
        Path own = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd");
        try (Stream<Path> files = Files.list(own)) {
            return files.filter(SsdFile::isIt).findFirst().orElseThrow(() -> new AssertionError("no file in " + DIRECTORY + " is open"));
        }
    }

    private static boolean isIt(Path descriptor) {
        try {
            return Files.isSymbolicLink(descriptor) && Files.readSymbolicLink(descriptor).startsWith(DIRECTORY)
                    && Files.isRegularFile(descriptor) && !Files.exists(Files.readSymbolicLink(descriptor), LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            // Closed meanwhile.
            return false;
        }
    }
}
