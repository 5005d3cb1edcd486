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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ztera.demo.SmallTree;

class ShardPlanTest {
    @TempDir
    Path dir;

    @Test
    void listsSourcesOnlyAndInOrder() throws Exception {
        assertEquals(
                List.of(
                        "README.md",
                        "src/hotspot/share/heap.hpp",
                        "src/hotspot/share/oop.cpp",
                        "src/java.base/A.java",
                        "src/java.base/B.java",
                        "test/jdk/T.java"),
                SourceTree.list(SmallTree.create(dir)).stream().map(SourceFile::name).toList());
    }

    @Test
    void theTreeMayBeALink() throws Exception {
        Path tree = SmallTree.create(dir.resolve("tree"));
        Path link = Files.createSymbolicLink(dir.resolve("link"), tree);
        assertEquals(SourceTree.list(tree), SourceTree.list(link));
    }

    @Test
    void smallNeighboursAreJoined() {
        List<ShardPlan.Area> areas = ShardPlan.of(
                files("src/a/1:10", "src/b/1:10", "src/c/1:85", "test/d/1:10"), 100, Long.MAX_VALUE);
        assertEquals(List.of("src/a .. src/b", "src/c .. test/d"), names(areas));
        assertEquals(List.of(1, 1), areas.stream().map(area -> area.parts().size()).toList());
    }

    @Test
    void largeDirectoriesAreDivided() {
        List<ShardPlan.Area> areas = ShardPlan.of(
                files("src/a/x/1:60", "src/a/x/2:60", "src/a/y/1:30", "src/a/z:30", "src/b/1:90"), 100, Long.MAX_VALUE);
        assertEquals(List.of("src/a", "src/b"), names(areas));
        assertEquals(
                List.of("src/a/x/1", "src/a/x/2 .. src/a/y", "src/a/z"),
                areas.get(0).parts().stream().map(ShardPlan.Part::name).toList());
    }

    @Test
    void oneFileMayBeLargerThanAPart() {
        List<ShardPlan.Area> areas = ShardPlan.of(files("src/a/1:500", "src/a/2:5"), 100, Long.MAX_VALUE);
        assertEquals(List.of(500L, 5L), areas.get(0).parts().stream().map(ShardPlan.Part::bytes).toList());
    }

    @Test
    void stopsAfterThePartThatReachesTheLimit() {
        List<SourceFile> files = files("src/a/1:80", "src/b/1:80", "src/b/2:80", "src/c/1:80");
        assertEquals(List.of("src/a"), names(ShardPlan.of(files, 100, 80)));
        List<ShardPlan.Area> areas = ShardPlan.of(files, 100, 81);
        assertEquals(List.of("src/a", "src/b"), names(areas));
        assertEquals(List.of("src/b/1"), areas.get(1).parts().stream().map(ShardPlan.Part::name).toList());
    }

    @Test
    void eachFileIsInExactlyOnePart() {
        List<SourceFile> files = files(
                "a:1", "b/c:70", "b/d/e:40", "b/d/f/g:90", "b/d/f/h:20", "b/i/j:1", "k/l/m:300", "k/l/n/o:10");
        List<SourceFile> planned = new ArrayList<>();
        for (ShardPlan.Area area : ShardPlan.of(files, 100, Long.MAX_VALUE)) {
            for (ShardPlan.Part part : area.parts()) {
                assertTrue(part.bytes() <= 100 || part.files().size() == 1, part.name());
                planned.addAll(part.files());
            }
        }
        assertEquals(files, planned);
    }

    private static List<String> names(List<ShardPlan.Area> areas) {
        return areas.stream().map(ShardPlan.Area::name).toList();
    }

    /** Files in the form {@code name:bytes}. */
    private static List<SourceFile> files(String... files) {
        return Stream.of(files)
                .map(file -> file.split(":"))
                .map(file -> new SourceFile(Path.of(file[0]), file[0], Long.parseLong(file[1])))
                .toList();
    }
}
