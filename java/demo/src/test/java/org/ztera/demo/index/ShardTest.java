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
package org.ztera.demo.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShardTest {
    private final Shard shard = shard("one.java", "alpha beta\nalphabet alpha", "two.java", "Beta gamma");

    @Test
    void symbolsKnowTheirPositions() {
        assertEquals(
                List.of("one.java:1:1", "one.java:2:10"),
                shard.symbol("alpha").positions().stream().map(ShardTest::text).toList());
        assertNull(shard.symbol("delta"));
    }

    @Test
    void symbolsByPrefix() {
        assertEquals(List.of("alpha", "alphabet"), names(shard.symbolsFrom("alp")));
        assertEquals(List.of("gamma"), names(shard.symbolsFrom("g")));
        assertEquals(List.of(), names(shard.symbolsFrom("b2")));
        assertEquals(List.of("Beta", "alpha", "alphabet", "beta", "gamma"), names(shard.symbols()));
    }

    @Test
    void candidatesIgnoreCase() {
        assertEquals(List.of("one.java", "two.java"), paths(shard.candidates("beta")));
        assertEquals(List.of("one.java"), paths(shard.candidates("alphabet")));
        assertEquals(List.of(), paths(shard.candidates("nowhere")));
    }

    @Test
    void manyCandidatesAreNarrowedDown() {
        Shard shard = shard("a", "common rare", "b", "common", "c", "common", "d", "uncommon rarely");
        assertEquals(List.of("a", "b", "c", "d"), paths(shard.candidates("common")));
        assertEquals(List.of("a", "d"), paths(shard.candidates("common rare")));
    }

    @Test
    void positionsOfOffsets() {
        FileRecord file = new FileRecord("f", "ab\n\ncd");
        assertEquals("f:1:1", text(file.position(0)));
        assertEquals("f:1:3", text(file.position(2)));
        assertEquals("f:2:1", text(file.position(3)));
        assertEquals("f:3:2", text(file.position(5)));
        assertEquals(3, file.lineCount());
    }

    @Test
    void size() {
        assertEquals(new ShardSize(2, 35, 3, 5, 6, shard.size().trigramPostings()), shard.size());
    }

    private static Shard shard(String... pathsAndTexts) {
        Shard shard = new Shard(1);
        TrigramIndex.Scratch scratch = new TrigramIndex.Scratch();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            shard.add(new FileRecord(pathsAndTexts[i], pathsAndTexts[i + 1]), scratch);
        }
        shard.complete(scratch);
        return shard;
    }

    private static String text(Position position) {
        return position.file().path() + ":" + position.line() + ":" + position.column();
    }

    private static List<String> names(List<Symbol> symbols) {
        return symbols.stream().map(Symbol::name).toList();
    }

    private static List<String> paths(List<FileRecord> files) {
        return files.stream().map(FileRecord::path).toList();
    }
}
