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

import java.util.List;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Checksums that the JDK takes in native code, in stubs, or in compiled code. */
final class Checksums {
    private Checksums() {}

    /** Those of the first bytes of an array are those of a young array with the same bytes. */
    static void check(byte[] array, int length, byte[] same) {
        for (Checksum sum : List.of(new CRC32(), new CRC32C(), new Adler32())) {
            sum.update(array, 0, length);
            long value = sum.getValue();
            sum.reset();
            sum.update(same, 0, length);
            if (value != sum.getValue()) {
                throw new AssertionError(sum.getClass().getSimpleName() + " is " + value + " and should be " + sum.getValue());
            }
        }
    }
}
