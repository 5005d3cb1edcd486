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
import java.util.List;
import org.ztera.demo.source.SourceFile;

/** Half of the bytes in arrays of 1 MiB, half in small objects. */
record Mixed(byte[][] blocks, Records records) {
    /** @param bytes about how much; @param source where the text comes from, not empty */
    static Mixed of(long bytes, List<SourceFile> source) throws IOException {
        int blocks = Math.toIntExact(bytes / 2 / Blocks.BLOCK_BYTES);
        long rest = bytes - (long) blocks * Blocks.BLOCK_BYTES;
        return new Mixed(Blocks.of(blocks, source).blocks, Records.of(rest, source));
    }
}
