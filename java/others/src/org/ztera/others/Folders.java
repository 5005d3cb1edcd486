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
package org.ztera.others;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** Operations on whole folders. */
final class Folders {
    private Folders() {
    }

    /** Makes the folder, empty. */
    static Path fresh(Path folder) throws IOException {
        delete(folder);
        return Files.createDirectories(folder);
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }

    /** The files below it whose names end so, in an order that is the same everywhere. */
    static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).filter(f -> f.toString().endsWith(suffix)).sorted().toList();
        }
    }

    static void unpack(Path jar, Path folder) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (var entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
                Path target = folder.resolve(entry.getName()).normalize();
                if (!target.startsWith(folder)) {
                    throw new IOException(jar + " has an entry outside: " + entry.getName());
                }
                Files.createDirectories(target.getParent());
                Files.copy(zip.getInputStream(entry), target);
            }
        }
    }
}
