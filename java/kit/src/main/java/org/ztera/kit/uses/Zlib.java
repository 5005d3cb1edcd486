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

import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses an array piece by piece, and decompresses into another piece by piece. */
final class Zlib {
    private static final int PIECE = 8 << 10;

    private Zlib() {}

    static void copy(byte[] from, byte[] into, int length) throws DataFormatException {
        byte[] packed = new byte[length + (length >> 6) + 1024];
        int packedLength = deflate(from, length, packed);
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(packed, 0, packedLength);
            for (int at = 0; at < length;) {
                int some = inflater.inflate(into, at, Math.min(PIECE, length - at));
                Use.ZLIB.check(some > 0, "has lost bytes");
                at += some;
            }
        }
    }

    private static int deflate(byte[] from, int length, byte[] packed) {
        try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
            int done = 0;
            for (int at = 0; at < length; at += PIECE) {
                deflater.setInput(from, at, Math.min(PIECE, length - at));
                while (!deflater.needsInput()) {
                    done += deflater.deflate(packed, done, packed.length - done);
                }
            }
            deflater.finish();
            while (!deflater.finished()) {
                done += deflater.deflate(packed, done, packed.length - done);
            }
            return done;
        }
    }
}
