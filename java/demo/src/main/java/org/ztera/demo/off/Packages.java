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
package org.ztera.demo.off;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Some packages of java.base by themselves, so that javac takes what else they refer to from the JDK. */
final class Packages {
    private static final List<String> NAMES = List.of("java/util/regex", "java/util/zip");

    private Packages() {
    }

    /** A work that compiles them. They are copied, and deleted again when the JVM ends. */
    static Compilation compilation(Path source) throws IOException {
        Path classes = source.resolve("src/java.base/share/classes");
        Path patch = temporary(Files.createTempDirectory("ztera-javac"));
        List<Path> files = new ArrayList<>();
        for (String name : NAMES) {
            Path copies = patch;
            for (Path part : Path.of(name)) {
                copies = temporary(copies.resolve(part));
            }
            for (Path file : sources(classes.resolve(name))) {
                files.add(temporary(Files.copy(file, Files.createDirectories(copies).resolve(file.getFileName()))));
            }
        }
        if (files.isEmpty()) {
            throw new IOException("there is no source of " + NAMES + " below " + classes);
        }
        return new Compilation(patch, files);
    }

    private static List<Path> sources(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> listed = Files.list(directory)) {
            return listed.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        }
    }

    /** Directories before what is in them: they are deleted in reverse order. */
    private static Path temporary(Path path) {
        path.toFile().deleteOnExit();
        return path;
    }
}
