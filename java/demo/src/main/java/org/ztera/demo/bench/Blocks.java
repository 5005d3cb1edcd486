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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.ztera.demo.source.SourceFile;

/**
 * Large primitive arrays full of real text: the source files one after the other, from the beginning
 * again when they are all used. (Pages and compression units are far smaller than the distance of two
 * copies, so repetition does not make the data more compressible.)
 */
final class Blocks {
    /** With its header of 16 bytes a block is exactly this large. */
    static final int BLOCK_BYTES = 1 << 20;
    private static final int HEADER_BYTES = 16;

    /** The roots that get tagged. */
    final byte[][] blocks;

    private Blocks(byte[][] blocks) {
        this.blocks = blocks;
    }

    /** @param count how many; @param source where the text comes from, not empty */
    static Blocks of(int count, List<SourceFile> source) throws IOException {
        List<byte[]> blocks = new ArrayList<>();
        Iterator<SourceFile> files = source.iterator();
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES - HEADER_BYTES);
        while (blocks.size() < count) {
            files = files.hasNext() ? files : source.iterator();
            try (FileChannel file = FileChannel.open(files.next().file())) {
                while (blocks.size() < count && file.read(block) >= 0) {
                    if (!block.hasRemaining()) {
                        blocks.add(block.array());
                        block = ByteBuffer.allocate(BLOCK_BYTES - HEADER_BYTES);
                    }
                }
            }
        }
        return new Blocks(blocks.toArray(byte[][]::new));
    }
}
