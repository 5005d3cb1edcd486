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
package org.ztera.jvmtests.soak;

import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.ztera.H2;
import org.ztera.jvmtests.child.Graphs;

/**
 * Faults cannot be handed over to threads of the engine when native code is given an array in H2 for the first time.
 * That native code may still use the array when the next one comes, so nothing is tried again. {@code failures.sh} runs
 * it.
 */
public final class HandOver {
    private static final byte[] bytes = Graphs.bytes(9_000_000, 7);

    private HandOver() {}

    public static void main(String[] args) throws DataFormatException {
        H2.tag(bytes, 1);
        H2.moveNow(1);
        check(H2.contains(bytes), "the array is in H1");
        // As often as the engine asks the kernel before it gives up.
        Injection.rules("uffd.unregister errno=12 times=1100");
        throughNativeCode();
        check(Injection.count("uffd.unregister") == 1100, "no hand-over was tried, so this is no test");
        throughNativeCode();
        System.out.println("HAND-OVER failed");
    }

    /** zlib works in critical sections: on an array of which more is in use than may be pinned. */
    private static void throughNativeCode() throws DataFormatException {
        try (Deflater deflater = new Deflater(); Inflater inflater = new Inflater()) {
            deflater.setInput(bytes);
            deflater.finish();
            byte[] compressed = new byte[2 * bytes.length];
            inflater.setInput(compressed, 0, deflater.deflate(compressed));
            byte[] back = new byte[bytes.length];
            check(inflater.inflate(back) == bytes.length, "not all came back");
            Graphs.checkBytes(back, 7, "what zlib gave back");
        }
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
