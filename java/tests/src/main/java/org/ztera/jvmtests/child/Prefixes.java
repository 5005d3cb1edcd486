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

import java.lang.ref.WeakReference;
import org.ztera.H2;

/**
 * Arrays that lie in a row die one by one, from both ends, and weak references have a collection look each time. So a
 * dead array comes to reach over the start of a region when all before it are dead, and all behind it live. The regions
 * before are given back.
 *
 * <p>Two regions of 256 KiB have one allocation buffer, so an array lies across their border. With one thread that
 * collects, the row has the order of the elements, or the reverse.
 */
public final class Prefixes {
    private static final int N = 150;
    private static final int BYTES = 6000;

    private static final byte[][] arrays = new byte[N][];
    private static final Object[] references = new Object[N];

    private Prefixes() {}

    public static void main(String[] args) {
        Child.main(Prefixes::test);
    }

    private static void test() {
        for (int i = 0; i < N; i++) {
            arrays[i] = Graphs.bytes(BYTES, i);
            references[i] = new WeakReference<>(arrays[i]);
        }
        moveAll();
        for (int dead = 1; dead <= N / 2; dead++) {
            arrays[dead - 1] = null;
            arrays[N - dead] = null;
            System.gc();
            for (int i = dead; i < N - dead; i++) {
                Graphs.checkBytes(arrays[i], i, "array " + i + " of those after " + dead);
            }
        }
    }

    /** Nobody needs the root afterwards. */
    private static void moveAll() {
        byte[][] root = arrays.clone();
        H2.tag(root, 1);
        H2.moveNow(1);
    }
}
