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
package org.ztera.jvmtests.child;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The JDK's own input and output with buffers in H2: streams, channels with heap buffers, sockets. */
public final class FileIo {
    private static final int SIZE = 3_000_000;

    private static byte[] source;
    private static byte[] target;
    private static ByteBuffer buffer;

    private FileIo() {}

    public static void main(String[] args) {
        Child.main(FileIo::test);
    }

    private static void test() throws Exception {
        source = Child.move(Graphs.bytes(SIZE, 5), 1);
        target = Child.move(new byte[SIZE], 1);
        buffer = Child.move(ByteBuffer.allocate(SIZE), 2);
        Child.inH2(buffer.array(), "the array of a heap buffer");
        Path file = Path.of("file-io.bin");
        streams(file);
        channels(file);
        sockets();
        Files.delete(file);
    }

    private static void clear() {
        Arrays.fill(target, (byte) 0);
        Child.fullGc();
    }

    private static void check(String what) {
        Graphs.checkBytes(source, 5, what + ", source");
        Child.check(Arrays.equals(source, target), what + ": bytes differ");
        clear();
    }

    private static void streams(Path file) throws Exception {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(source);
        }
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            Child.equal(SIZE, in.readNBytes(target, 0, SIZE), "bytes read");
        }
        check("file streams");
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            f.write(source, 1001, 5000);
            f.seek(0);
            f.readFully(target);
        }
        Child.check(Arrays.equals(source, 1001, 6001, target, 0, 5000), "random access file");
        Files.write(file, source);
        clear();
    }

    private static void channels(Path file) throws Exception {
        try (FileChannel c = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer from = ByteBuffer.wrap(source);
            while (from.hasRemaining()) {
                c.write(from, from.position());
            }
            ByteBuffer to = ByteBuffer.wrap(target);
            c.position(0);
            while (to.hasRemaining() && c.read(to) >= 0) {
                Child.check(to.position() <= SIZE, "position");
            }
            check("channel with wrapped arrays");
            buffer.clear();
            c.read(buffer, 0);
            buffer.flip();
            buffer.get(target);
            check("channel with a heap buffer in H2");
            ByteBuffer direct = ByteBuffer.allocateDirect(SIZE);
            direct.put(source).flip();
            direct.get(target);
            check("direct buffer");
        }
    }

    private static void sockets() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread sender = new Thread(() -> {
                try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    s.getOutputStream().write(source);
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            try (Socket s = server.accept()) {
                Child.equal(SIZE, s.getInputStream().readNBytes(target, 0, SIZE), "bytes from the socket");
            }
            sender.join();
        }
        check("sockets");
    }
}
