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
package org.ztera.demo;

import org.ztera.H2;

/**
 * The bytes that are alive: used bytes directly after a full collection.
 *
 * @param h1 in the first heap
 * @param h2 in the second heap; 0 if there is none
 */
record LiveHeap(long h1, long h2) {

    /** Collects, then looks. */
    static LiveHeap measure() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return new LiveHeap(runtime.totalMemory() - runtime.freeMemory(), H2.stats().usedBytes());
    }

    long total() {
        return h1 + h2;
    }
}
