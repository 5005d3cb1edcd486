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
package org.ztera.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeSearchTest {
    @TempDir
    Path dir;

    @Test
    void reportsTheSameChecksumInEachRunAndAfterIndexingAgain() throws IOException {
        SmallTree.create(dir);
        Path answers = dir.resolve("answers");
        String source = dir.toString();
        String first = CodeSearch.run(Options.parse(source, "--reindex", "src/java.base", "--answers", answers.toString()));
        String second = CodeSearch.run(Options.parse(source, "--reindex", "", "--shard-bytes", "10", "--place", "off"));

        String checksum = member(first, "checksum");
        assertEquals(checksum, member(second, "checksum"));
        Matcher reindex = Pattern.compile("\"reindex\":(\\{[^{}]*})").matcher(first);
        assertTrue(reindex.find());
        assertEquals(checksum, member(reindex.group(1), "checksum"));
        assertEquals(". .. test/jdk", member(reindex.group(1), "area"));
        assertEquals("6", member(first, "files"));
        assertTrue(Long.parseLong(member(first, "live_bytes")) > 0);
        assertTrue(Files.readAllLines(answers).getFirst().startsWith("Exact[symbol=HashMap]: 7 hits, "));
    }

    @Test
    void anEmptyTreeIsAnError() {
        assertThrows(IOException.class, () -> CodeSearch.run(Options.parse(dir.toString())));
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThat("not a directory", "/nowhere/at/all");
        assertThat("no source tree");
        assertThat("--rounds needs a positive number, not x", "--rounds", "x");
        assertThat("--place needs now, later or off", "--place", "maybe");
        assertThat("--max-bytes needs a value", "--max-bytes");
        assertThat("unexpected argument: --wrong", "--wrong");
    }

    @Test
    void sizesHaveSuffixes() throws IOException {
        SmallTree.create(dir);
        Options options = Options.parse("--max-bytes", "3G", "--shard-bytes", "2k", "--rounds", "1", dir.toString());
        assertEquals(3L << 30, options.maxBytes());
        assertEquals(2048, options.shardBytes());
        assertEquals(1, options.rounds());
    }

    private static void assertThat(String message, String... args) {
        String said = assertThrows(IllegalArgumentException.class, () -> Options.parse(args)).getMessage();
        assertTrue(said.contains(message), said);
    }

    private static String member(String json, String name) {
        Matcher matcher = Pattern.compile('"' + name + "\":\"?([^\",}]*)").matcher(json);
        assertTrue(matcher.find(), name);
        return matcher.group(1);
    }
}
