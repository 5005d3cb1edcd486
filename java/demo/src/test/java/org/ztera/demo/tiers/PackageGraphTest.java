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
package org.ztera.demo.tiers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageGraphTest {
    static final String PACKAGES = """
            Package: app
            Version: 1
            Depends: libc (>= 2.3), one | other, elsewhere:any, libc (<< 9)
            Recommends: other:any

            Package: libc
            Pre-Depends: one

            Package: one

            Package: other
            Suggests: app
            """;

    @TempDir
    Path dir;

    private PackageGraph graph() throws Exception {
        return PackageGraph.read(Files.writeString(dir.resolve("packages"), PACKAGES));
    }

    @Test
    void dependenciesAreReadWithTheirAlternatives() throws Exception {
        PackageGraph graph = graph();
        assertArrayEquals(new String[] {"app", "libc", "one", "other"}, graph.names());
        assertArrayEquals(new int[] {1, 2, 3}, graph.depends()[0]);
        assertArrayEquals(new int[] {2}, graph.depends()[1]);
        assertEquals(4, graph.edges());
    }

    @Test
    void aReleaseSharesNothingWithTheGraphAndKnowsTheOneBefore() throws Exception {
        PackageGraph graph = graph();
        Release first = Release.of(graph, 0, null, new Random(1));
        Release second = Release.of(graph, 4, first, new Random(2));
        assertSame(first.nodes[2], second.nodes[2].before);
        assertEquals(6, second.nodes[2].number);
        assertEquals(graph.names()[2], second.nodes[2].name);
        assertNotSame(graph.names()[2], second.nodes[2].name);
    }
}
