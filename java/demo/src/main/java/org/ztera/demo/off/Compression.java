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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Text is compressed and decompressed by zlib: native code, which is given arrays of the heap. */
final class Compression implements Work {
    private final List<byte[]> texts;

    Compression(List<byte[]> texts) {
        this.texts = texts;
    }

    @Override
    public long iterate(int number) throws IOException {
        long found = 0;
        for (byte[] text : texts) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
                gzip.write(text);
            }
            CRC32 crc = new CRC32();
            try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed.toByteArray()))) {
                crc.update(gzip.readAllBytes());
            }
            found = found * 31 + crc.getValue() + compressed.size();
        }
        return found;
    }
}
