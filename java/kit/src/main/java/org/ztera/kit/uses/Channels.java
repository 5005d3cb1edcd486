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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;

/** Through the kernel's buffer of a connection, whose ends are both this thread's: neither waits. */
final class Channels {
    private Channels() {}

    static void bySocket(byte[] from, byte[] into, int length) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel out = SocketChannel.open(server.getLocalAddress()); SocketChannel in = server.accept()) {
            out.configureBlocking(false);
            in.configureBlocking(false);
            copy(out, ByteBuffer.wrap(from, 0, length), in, ByteBuffer.wrap(into, 0, length));
        }
    }

    static void byPipe(byte[] from, byte[] into, int length) throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel out = pipe.sink(); Pipe.SourceChannel in = pipe.source()) {
            out.configureBlocking(false);
            in.configureBlocking(false);
            copy(out, ByteBuffer.wrap(from, 0, length), in, ByteBuffer.wrap(into, 0, length));
        }
    }

    private static void copy(WritableByteChannel out, ByteBuffer from, ReadableByteChannel in, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (from.hasRemaining()) {
                out.write(from);
            }
            if (in.read(into) < 0) {
                throw new AssertionError("a connection has ended early");
            }
        }
    }
}
