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

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import jdk.tools.jlink.internal.Archive;
import jdk.tools.jlink.internal.JmodArchive;
import jdk.tools.jlink.internal.LinkableRuntimeImage;
import jdk.tools.jlink.internal.TaskHelper;

/**
 * Writes the packaged modules of the JDK that it runs on, as input for jlink, with our JVM in {@code java.base}.
 *
 * <p>A JDK without a folder {@code jmods}, as most are since JDK 24, can make its packaged modules anew: its jlink does
 * so each time that it links. But no JDK links an image with jlink in it that way. Files are written to do so here.
 *
 * <p>{@code Modules OUT LIBS VENDOR VERSION URL}: to the folder OUT; the files of LIBS become or replace those of
 * {@code lib} in {@code java.base}; the rest names the product where the JDK names its vendor.
 */
public final class Modules {
    private static final Path HOME = Path.of(System.getProperty("java.home"));
    private static final byte[] MAGIC = {'J', 'M', 1, 0};
    private static final String VERSION_PROPS = "classes/java/lang/VersionProps.class";

    private Modules() { }

    /** Writes all modules. */
    public static void main(String[] args) throws IOException {
        Path out = Path.of(args[0]);
        Path libs = Path.of(args[1]);
        Map<String, String> names = Map.of(
                System.getProperty("java.vendor"), args[2],
                System.getProperty("java.vendor.version", ""), args[3],
                System.getProperty("java.vendor.url"), args[4],
                System.getProperty("java.vendor.url.bug"), args[4]);
        for (String module : ModuleFinder.ofSystem().findAll().stream().map(m -> m.descriptor().name()).sorted().toList()) {
            Map<String, byte[]> files = files(module);
            if (module.equals("java.base")) {
                files.compute(VERSION_PROPS, (name, bytes) -> renamed(bytes, names));
                addLibraries(files, libs);
            }
            write(out.resolve(module + ".jmod"), files);
        }
    }

    /** Where the packaged module is, or what stands for it. */
    private static Archive archive(String module) throws IOException {
        Path jmod = HOME.resolve("jmods", module + ".jmod");
        return Files.exists(jmod) ? new JmodArchive(module, jmod)
                : LinkableRuntimeImage.newArchive(module, Path.of(URI.create("jrt:/" + module)), false, new TaskHelper(TaskHelper.JLINK_BUNDLE));
    }

    /** All files of a module by their names in a packaged module. */
    private static Map<String, byte[]> files(String module) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        Archive archive = archive(module);
        archive.open();
        try (var entries = archive.entries()) {
            for (Archive.Entry entry : (Iterable<Archive.Entry>) entries::iterator) {
                String name = packagedName(module, entry);
                if (!belongsToImage(name)) {
                    try (var in = entry.stream()) {
                        files.put(name, in.readAllBytes());
                    }
                }
            }
        }
        archive.close();
        return files;
    }

    private static String packagedName(String module, Archive.Entry entry) {
        return switch (entry.type()) {
            case CLASS_OR_RESOURCE -> "classes/" + entry.name();
            case LEGAL_NOTICE -> entry.name().replaceFirst("/" + module + "/", "/");
            default -> entry.name();
        };
    }

    /** Whether it is a note of jlink in an image about that very image. */
    private static boolean belongsToImage(String name) {
        return name.startsWith("classes/jdk/tools/jlink/internal/runtimelink/") && !name.endsWith(".class") && !name.endsWith(".conf");
    }

    /** A class with other texts in place of some of its string constants. */
    private static byte[] renamed(byte[] bytes, Map<String, String> names) {
        var file = ClassFile.of();
        return file.transformClass(file.parse(bytes), ClassTransform.transformingMethodBodies((code, element) -> {
            if (element instanceof LoadConstantInstruction load && load.constantValue() instanceof String text && names.containsKey(text)) {
                code.loadConstant(names.get(text));
            } else {
                code.with(element);
            }
        }));
    }

    private static void addLibraries(Map<String, byte[]> files, Path libs) throws IOException {
        List<Path> paths;
        try (var all = Files.walk(libs)) {
            paths = all.filter(Files::isRegularFile).toList();
        }
        for (Path path : paths) {
            files.put("lib/" + libs.relativize(path), Files.readAllBytes(path));
        }
    }

    private static void write(Path jmod, Map<String, byte[]> files) throws IOException {
        try (OutputStream out = Files.newOutputStream(jmod)) {
            out.write(MAGIC);
            ZipOutputStream zip = new ZipOutputStream(out);
            zip.setLevel(1); // they live for a minute
            for (var file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
            zip.finish();
        }
    }
}
