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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ztera.demo.SmallTree;

/** The checksum must be equal on all JVMs, and must show that something was done. */
class WorkTest {
    @TempDir
    Path tree;

    @ParameterizedTest
    @EnumSource
    void theSameIterationsHaveTheSameChecksum(Workload workload) throws Exception {
        createTree();
        assertEquals(checksum(workload, 0, 1), checksum(workload, 0, 1));
    }

    @Test
    void warmUpDoesTheSame() throws Exception {
        createTree();
        assertEquals(checksum(Workload.DIGESTS, 1, 1), checksum(Workload.DIGESTS, 0, 2));
    }

    @ParameterizedTest
    @EnumSource(names = {"MAPS", "SORTING"})
    void otherIterationsHaveAnotherChecksum(Workload workload) throws Exception {
        Work work = workload.prepare(createTree());
        assertTrue(work.iterate(0) != work.iterate(1), "numbers differ, and so does what is computed");
    }

    @Test
    void namesAreThoseOfTheCommandLine() {
        assertEquals(Workload.FULL_COLLECTIONS, Workload.named("full-collections"));
        assertThrows(IllegalArgumentException.class, () -> Workload.named("nothing"));
    }

    @Test
    void javacNeedsSource() {
        IOException error = assertThrows(IOException.class, () -> Workload.JAVAC.prepare(tree));
        assertTrue(error.getMessage().contains("java/util/zip"), error.getMessage());
    }

    @Test
    void whatDoesNotCompileIsAnError() throws Exception {
        Files.writeString(createTree().resolve("src/java.base/share/classes/java/util/zip/Wrong.java"), "class {}");
        Work javac = Workload.JAVAC.prepare(tree);
        assertTrue(assertThrows(IllegalStateException.class, () -> javac.iterate(0)).getMessage().contains("Wrong.java"));
    }

    private String checksum(Workload workload, int warmUp, int measured) throws Exception {
        String report = BenchOff.run(workload.prepare(tree), warmUp, measured).toString();
        assertTrue(report.matches("\\{\"seconds\":[0-9.]+,\"cpu_seconds\":.*,\"collecting_seconds\":.*}"), report);
        String checksum = report.replaceAll(".*\"checksum\":\"([0-9a-f]+)\".*", "$1");
        assertTrue(!checksum.equals("0") && checksum.length() > 2, report);
        return checksum;
    }

    private Path createTree() throws IOException {
        SmallTree.create(tree);
        Path zip = Files.createDirectories(tree.resolve("src/java.base/share/classes/java/util/zip"));
        Files.writeString(zip.resolve("Small.java"), "package java.util.zip; class Small { CRC32 crc = new CRC32(); }");
        return tree;
    }
}
