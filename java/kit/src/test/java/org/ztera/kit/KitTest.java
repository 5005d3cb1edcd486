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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KitTest {
    @TempDir
    Path folder;

    @Test
    void aFolderWithoutJvmIsRefused() {
        String message = assertThrows(IllegalArgumentException.class, () -> new JavaHome(folder)).getMessage();
        assertTrue(message.contains(folder.toString()) && message.contains("make jdk"), message);
    }

    @Test
    void everyLayoutIsOneThatTheJvmTakes() throws Exception {
        for (Oops oops : Oops.values()) {
            for (boolean compact : List.of(false, true)) {
                List<String> command = new Jvm(JavaHome.current()).flag("-XX:+UseSerialGC", "-Xmx32m").flags(OopMode.flags(oops, compact)).command();
                assertTrue(Tools.run(command).contains(System.getProperty("java.vm.version")), command.toString());
            }
        }
        assertEquals(List.of("-XX:-UseCompressedOops", "-XX:+UseCompactObjectHeaders"), OopMode.WIDE_COMPACT.flags());
    }

    @Test
    void aFlagReplacesTheOneThatSetsTheSame() {
        Jvm jvm = new Jvm(JavaHome.current()).flag("-Xmx1g", "-XX:+A", "-XX:B=1", "-XX:H2Size=1g", "-Da=1", "-Xlog:gc+h2");
        jvm.flag("-XX:B=2", "-Xmx2g", "-XX:-A", "-Da=2").withoutH2().withoutFlag("B").through(List.of("env"));
        String java = JavaHome.current().tool("java").toString();
        assertEquals(List.of("env", java, "-Da=1", "-Xmx2g", "-XX:-A", "-Da=2", "-version"), jvm.command());
    }

    @Test
    void allCompileCommandsStay() {
        List<String> commands = List.of("-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,a::*");
        assertTrue(new Jvm(JavaHome.current()).flags(commands).command().containsAll(commands));
    }

    @Test
    void aToolThatFailsShowsWhatItPrinted() {
        IOException failure = assertThrows(IOException.class, () -> Tools.run(List.of("sh", "-c", "echo why; exit 3")));
        assertTrue(failure.getMessage().contains("why"), failure.getMessage());
    }

    @Test
    void cIsCompiledAgainstAJdk() throws Exception {
        Path source = Files.writeString(folder.resolve("some.c"), "#include <jni.h>\njint one(void) { return 1; }\n");
        Path binary = folder.resolve("libsome.so");
        Tools.compileC(JavaHome.current(), source, binary, "-fPIC", "-shared");
        assertTrue(Files.size(binary) > 0);
    }

    @Test
    void aFolderIsMadeFreshWithAllThatIsInIt() throws IOException {
        Path deep = Files.createDirectories(folder.resolve("a", "b"));
        Files.writeString(deep.resolve("c.txt"), "c");
        Files.writeString(deep.resolve("d.md"), "d");
        assertEquals(List.of(deep.resolve("c.txt")), Folders.files(folder, ".txt"));
        assertEquals(List.of(), Folders.files(Folders.fresh(folder.resolve("a")), ""));
    }

    @Test
    void aGroupTakesACommandAndGoesWithIt() throws Exception {
        if (!canCreateGroups()) {
            return;
        }
        Process sleeper;
        try (Cgroup group = Cgroup.create("kit", 64 << 20)) {
            String said = Tools.run(List.of(group.entrance(folder).toString(), "cat", "/proc/self/cgroup"));
            assertTrue(said.contains("/ztera-" + ProcessHandle.current().pid() + "-kit"), said);
            assertEquals(0, group.kills());
            sleeper = new ProcessBuilder(group.entrance(folder).toString(), "sleep", "1000").start();
        }
        assertNotEquals(0, sleeper.waitFor(), "it goes with the group");
    }

    @Test
    void groupsOfOneNameAreApart() throws Exception {
        if (!canCreateGroups()) {
            return;
        }
        try (Cgroup one = Cgroup.create("twice", 64 << 20)) {
            Cgroup.create("twice", 64 << 20).close();
            assertEquals(0, one.kills());
        }
    }

    private static boolean canCreateGroups() throws IOException {
        try {
            Cgroup.create("try", 64 << 20).close();
            return true;
        } catch (IOException e) {
            System.out.println("SKIPPED, no memory cgroup can be created, which takes root: " + e);
            return false;
        }
    }
}
