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
package org.ztera.demo.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ztera.demo.SmallTree;
import org.ztera.demo.source.SourceFile;
import org.ztera.demo.source.SourceTree;

class BenchDataTest {
    @TempDir
    Path dir;

    private List<SourceFile> source;

    @BeforeEach
    void tree() throws Exception {
        source = SourceTree.list(SmallTree.create(dir));
    }

    @Test
    void blocksHoldTheFilesOneAfterTheOther() throws Exception {
        byte[][] blocks = (byte[][]) BenchData.ARRAYS.build(2L << 20, source);
        assertEquals(2, blocks.length);
        assertEquals(Blocks.BLOCK_BYTES - 16, blocks[0].length);
        byte[] first = Files.readAllBytes(source.getFirst().file());
        assertArrayEquals(first, Arrays.copyOf(blocks[0], first.length));
        byte[] second = Files.readAllBytes(source.get(1).file());
        assertArrayEquals(second, Arrays.copyOfRange(blocks[0], first.length, first.length + second.length));
    }

    @Test
    void objectsAreShards() throws Exception {
        List<?> shards = assertInstanceOf(List.class, BenchData.named("objects").build(1L << 30, source));
        assertFalse(shards.isEmpty());
    }

    @Test
    void mixedDataIsHalfArraysAndHalfSmallObjects() throws Exception {
        Mixed mixed = (Mixed) BenchData.named("mixed").build(5L << 20, source);
        assertEquals(2, mixed.blocks().length);
        assertEquals(3 << 20, mixed.records().write(Long.MAX_VALUE), 4096);
    }

    @Test
    void soMuchOfTheRecordsIsWritten() throws Exception {
        Records records = Records.of(1 << 20, source);
        assertEquals(10_000, records.write(10_000), 4096);
        assertEquals(0, records.write(0));
    }

    @Test
    void eachPageIsReadOnceInAnyOrder() throws Exception {
        byte[][] blocks = (byte[][]) BenchData.ARRAYS.build(2L << 20, source);
        for (int block = 0; block < blocks.length; block++) {
            for (int page = 0; page < 256; page++) {
                blocks[block][page * 4096] = (byte) (page % 100 + block);
            }
        }
        PageReads.Result sequential = PageReads.sequential(blocks);
        PageReads.Result random = PageReads.random(blocks, 42);
        assertEquals(512, sequential.pages());
        assertEquals(sequential.sum(), random.sum());
        assertNotEquals(0, random.sum());
    }
}
