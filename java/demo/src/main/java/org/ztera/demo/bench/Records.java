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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ztera.demo.source.SourceFile;

/** Small objects: the lines of the source files, each with a number and a reference to another. */
final class Records {
    /** A line, its text included, on a 64-bit JVM with compressed references. */
    private static final class Line {
        private static final int FIXED_BYTES = 32 + 24 + 16 + 4;

        final String text;
        final long number;
        Line other;

        Line(String text, long number) {
            this.text = text;
            this.number = number;
        }

        long bytes() {
            return FIXED_BYTES + (text.length() + 7 & -8);
        }
    }

    private final Line[] lines;

    private Records(Line[] lines) {
        this.lines = lines;
        write(Long.MAX_VALUE);
    }

    /** @param bytes about how much it should be; @param source where the text comes from, not empty */
    static Records of(long bytes, List<SourceFile> source) throws IOException {
        List<Line> lines = new ArrayList<>();
        long left = bytes;
        // More than once where the text is hardly more than line breaks.
        while (left > 0) {
            for (byte[] block : Blocks.of(Math.toIntExact(1 + left / Blocks.BLOCK_BYTES), source).blocks) {
                for (String text : new String(block, StandardCharsets.ISO_8859_1).split("\n")) {
                    if (left > 0) {
                        Line line = new Line(text, lines.size());
                        lines.add(line);
                        left -= line.bytes();
                    }
                }
            }
        }
        return new Records(lines.toArray(Line[]::new));
    }

    /**
     * Writes a reference in each of the first objects, so that their cards become dirty. The references stay as they
     * are.
     *
     * @param bytes how much of the objects
     * @return how much it was
     */
    long write(long bytes) {
        long written = 0;
        for (int i = 0; i < lines.length && written < bytes; i++) {
            lines[i].other = lines[i / 2];
            written += lines[i].bytes();
        }
        return written;
    }
}
