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
package org.ztera.demo.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Lists the source files below a directory, in the order of their names. */
public final class SourceTree {
    private static final Set<String> SOURCE_SUFFIXES = Set.of(
            "ad", "c", "cc", "cpp", "css", "dtd", "gmk", "h", "hh", "hpp", "html", "jasm", "java", "jcod", "js",
            "m", "m4", "md", "mm", "properties", "py", "S", "s", "sh", "template", "txt", "xml", "xsd", "xsl");
    private static final Set<String> SKIPPED_DIRECTORIES = Set.of("build", "target");
    /** Larger ones are data or machine output rather than source. */
    private static final long LARGEST_FILE = 8L << 20;

    private SourceTree() {
    }

    /**
     * All source files below a directory that are not empty. The directory itself may be a symbolic link; below it
     * neither links nor hidden directories are followed.
     */
    public static List<SourceFile> list(Path directory) throws IOException {
        Path root = directory.toRealPath();
        List<SourceFile> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
                return dir.equals(root) || !isSkipped(dir.getFileName().toString())
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                long bytes = attributes.size();
                if (attributes.isRegularFile() && bytes > 0 && bytes <= LARGEST_FILE && isSource(file)) {
                    files.add(new SourceFile(file, nameBelow(root, file), bytes));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(Comparator.comparing(SourceFile::name));
        return files;
    }

    private static boolean isSkipped(String directory) {
        return directory.startsWith(".") || SKIPPED_DIRECTORIES.contains(directory);
    }

    private static boolean isSource(Path file) {
        String name = file.getFileName().toString();
        return SOURCE_SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    private static String nameBelow(Path root, Path file) {
        return root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
    }
}
