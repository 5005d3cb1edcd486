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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.tools.ToolProvider;
import org.ztera.kit.Folders;

/**
 * A program that is ready to run on any arm.
 *
 * @param classpath the program's, with our part of it
 * @param args its arguments, all placeholders filled in
 */
record Prepared(Entry entry, String classpath, List<String> args) {

    /**
     * Downloads, unpacks and compiles what the entry names.
     *
     * @param home the folder of {@code programs} and {@code workloads}
     * @param out the program's folder for all that is made
     * @param jdkSource the OpenJDK source tree
     */
    static Prepared of(Entry entry, Maven maven, Path home, Path out, Path jdkSource) throws IOException, InterruptedException {
        String classpath = maven.classpath(entry.classpath());
        if (!entry.workloads().isEmpty()) {
            List<Path> workloads = entry.workloads().stream().map(w -> home.resolve("workloads", w)).toList();
            classpath = compile(workloads, classpath, out.resolve("classes")) + File.pathSeparator + classpath;
        }
        Path source = Folders.fresh(out.resolve("source"));
        for (String coordinates : entry.source()) {
            unpack(maven.sources(coordinates), source);
        }
        Placeholders names = new Placeholders(jdkSource, source, maven.classpath(entry.library()), out.resolve("files"));
        if (!entry.suffix().isEmpty()) {
            writeFileList(entry, names);
        }
        return new Prepared(entry, classpath, entry.args().stream().map(names::fill).toList());
    }

    private static void unpack(Path jar, Path folder) throws IOException {
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

    private record Placeholders(Path jdk, Path source, String library, Path files) {
        String fill(String text) {
            return text.replace("${jdk}", jdk.toString()).replace("${source}", source.toString()).replace("${library}", library)
                    .replace("${files}", files.toString());
        }
    }

    private static void writeFileList(Entry entry, Placeholders names) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : entry.files()) {
            files.addAll(Folders.files(Path.of(names.fill(folder)), entry.suffix()));
        }
        if (files.isEmpty()) {
            throw new IOException(entry.name() + ": no " + entry.suffix() + " file in " + entry.files());
        }
        Files.write(names.files(), files.stream().map(Path::toString).toList());
    }

    private static Path compile(List<Path> workloads, String classpath, Path classes) throws IOException {
        Folders.fresh(classes);
        List<Path> sources = new ArrayList<>();
        for (Path workload : workloads) {
            sources.addAll(Folders.files(workload, ".java"));
        }
        List<String> arguments = Stream.concat(
                Stream.of("-Xlint:all,-processing,-classfile,-path", "-Werror", "-proc:none", "-d", classes.toString(), "-cp",
                        System.getProperty("java.class.path") + File.pathSeparator + classpath),
                sources.stream().map(Path::toString)).toList();
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IOException("cannot compile " + workloads + " with " + arguments.stream().limit(6).collect(Collectors.joining(" ")));
        }
        return classes;
    }
}
