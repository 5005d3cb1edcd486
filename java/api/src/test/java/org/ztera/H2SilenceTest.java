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
package org.ztera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stock JVM prints nothing because of the API, and nothing but the API is needed to use it. */
class H2SilenceTest {
    private static final byte[] CLASS_FILE_MAGIC_AND_MINOR = {
        (byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0
    };
    private static final int JAVA_8 = 52;

    private static final Path JVMS = Path.of("/usr/lib/jvm");

    @TempDir
    Path dir;

    /** Runs in the child: every method once. */
    static final class User {
        public static void main(String[] args) {
            H2.tag(args, 1);
            H2.move(1);
            H2.moveNow(1);
            H2.group("one").tag(args);
            H2.group("one").moveNow();
            H2.collect();
            System.out.print(H2.isEnabled() + " " + H2.contains(args) + " " + H2.stats().usedBytes());
        }
    }

    @Test
    void printsNothing() throws Exception {
        printsNothing(Path.of(System.getProperty("java.home")));
    }

    /** The API promised to do nothing on any other JVM, and did not load below Java 17. */
    @Test
    void printsNothingOnOlderJvms() throws Exception {
        try (Stream<Path> all = Files.isDirectory(JVMS) ? Files.list(JVMS) : Stream.of()) {
            List<Path> older = all.filter(jvm -> !Files.isSymbolicLink(jvm) && canRunUser(jvm)).toList();
            if (older.isEmpty()) {
                System.out.println("SKIPPED, no older JVM is in " + JVMS + ": install openjdk-17-jre-headless");
            }
            for (Path jvm : older) {
                printsNothing(jvm);
            }
        }
    }

    /** Whether a JVM is older than this one, and new enough for the class files of these tests. */
    private static boolean canRunUser(Path jvm) {
        for (int version = 17; version < Runtime.version().feature(); version++) {
            if (jvm.getFileName().toString().matches(".*\\b" + version + "\\b.*") && Files.isExecutable(jvm.resolve("bin/java"))) {
                return true;
            }
        }
        return false;
    }

    private void printsNothing(Path jvm) throws Exception {
        Path out = dir.resolve("out");
        Path err = dir.resolve("err");
        Process child = new ProcessBuilder(List.of(
                        jvm.resolve("bin/java").toString(),
                        "-cp", classesOf(H2.class) + ":" + classesOf(User.class),
                        "-Xcheck:jni",
                        User.class.getName()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertEquals(0, child.waitFor());
        assertEquals("false false 0", Files.readString(out));
        assertEquals("", Files.readString(err));
    }

    @Test
    void classFilesRunOnJava8() throws IOException {
        for (Class<?> c : List.of(H2.class, H2Group.class, H2.Stats.class)) {
            String name = c.getName().substring(c.getName().lastIndexOf('.') + 1) + ".class";
            try (InputStream in = c.getResourceAsStream(name)) {
                byte[] head = in.readNBytes(8);
                assertEquals(
                        new String(CLASS_FILE_MAGIC_AND_MINOR, StandardCharsets.ISO_8859_1),
                        new String(head, 0, 6, StandardCharsets.ISO_8859_1));
                assertEquals(JAVA_8, head[6] << 8 | head[7]);
            }
        }
    }

    @Test
    void isFinalAndHasNoPublicConstructor() {
        assertEquals(0, H2.class.getConstructors().length);
        assertTrue(Modifier.isFinal(H2.class.getModifiers()));
    }

    private static String classesOf(Class<?> c) throws Exception {
        return Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }
}
