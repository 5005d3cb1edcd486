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

import java.nio.file.Path;
import java.util.Locale;

/**
 * The works of {@code ztera bench off}, each with how often it is done: iterations that warm up, for the compiler to be
 * done with it, and iterations that are measured.
 */
enum Workload {
    ALLOCATION(10, 20, _ -> new Allocation()),
    REFERENCE_STORES(10, 20, _ -> new ReferenceStores()),
    ARRAY_COPIES(8, 12, _ -> new ArrayCopies()),
    MAPS(10, 15, _ -> new Maps()),
    FULL_COLLECTIONS(2, 5, _ -> new FullCollections()),
    TEXT(8, 12, source -> new Text(SourceText.read(source))),
    JAVAC(4, 4, Packages::compilation),
    SORTING(8, 10, _ -> new Sorting()),
    DIGESTS(5, 10, source -> new Digests(SourceText.bytes(source))),
    COMPRESSION(4, 10, source -> new Compression(SourceText.bytes(source))),
    THREADS(8, 12, _ -> new Threads());

    private interface Preparation {
        Work prepare(Path source) throws Exception;
    }

    final int warmUp;
    final int measured;
    private final Preparation preparation;

    Workload(int warmUp, int measured, Preparation preparation) {
        this.warmUp = warmUp;
        this.measured = measured;
        this.preparation = preparation;
    }

    /** @param source OpenJDK's source tree, which some works read */
    Work prepare(Path source) throws Exception {
        return preparation.prepare(source);
    }

    /** Names are as on the command line: {@code full-collections}. */
    static Workload named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
