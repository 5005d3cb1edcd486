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
package org.ztera.kit.uses;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** By way of a file, which has no name once it is open. */
final class Files {
    private Files() {}

    static void byChannel(byte[] from, byte[] into, int length) throws IOException {
        Path file = java.nio.file.Files.createTempFile("ztera", null);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            java.nio.file.Files.delete(file);
            // Two buffers at once: writev.
            ByteBuffer[] parts = {ByteBuffer.wrap(from, 0, length / 3), ByteBuffer.wrap(from, length / 3, length - length / 3)};
            while (parts[1].hasRemaining()) {
                channel.write(parts);
            }
            ByteBuffer back = ByteBuffer.wrap(into, 0, length);
            for (channel.position(0); back.hasRemaining();) {
                Use.FILE_CHANNEL.check(channel.read(back) > 0, "has lost bytes");
            }
        }
    }

    static void byRandomAccess(byte[] from, byte[] into, int length) throws IOException {
        Path path = java.nio.file.Files.createTempFile("ztera", null);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            java.nio.file.Files.delete(path);
            file.write(from, 0, length);
            file.seek(0);
            file.readFully(into, 0, length);
        }
    }
}
