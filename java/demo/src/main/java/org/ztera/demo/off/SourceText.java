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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ztera.demo.source.SourceFile;
import org.ztera.demo.source.SourceTree;

/** Real text to work on: the first source files of java.base. */
final class SourceText {
    private static final long BYTES = 2 << 20;

    private SourceText() {
    }

    /** @return one element per file, in the order of their names */
    static List<String> read(Path source) throws IOException {
        return bytes(source).stream().map(text -> new String(text, StandardCharsets.UTF_8)).toList();
    }

    /** The same, as it is encoded. */
    static List<byte[]> bytes(Path source) throws IOException {
        List<byte[]> texts = new ArrayList<>();
        long bytes = 0;
        for (SourceFile file : SourceTree.list(source.resolve("src/java.base"))) {
            if (bytes < BYTES) {
                bytes += file.bytes();
                texts.add(Files.readAllBytes(file.file()));
            }
        }
        return texts;
    }
}
