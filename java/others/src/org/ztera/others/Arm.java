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
package org.ztera.others;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A way to run a program: a JVM and its object layout. All but the first move random objects at each full collection.
 */
enum Arm {
    /** The base JDK, whose answer is the right one. */
    STOCK(),
    MIXED("-XX:+UseCompressedOops", "-XX:+H2Verify"),
    /** Not verified: verification touches every page, so here the faults are the program's and the collector's own. */
    COMPACT("-XX:+UseCompressedOops", "-XX:+UseCompactObjectHeaders"),
    WIDE("-XX:-UseCompressedOops", "-XX:+H2Verify"),
    FASTDEBUG("-XX:+UseCompressedOops", "-XX:+H2Verify");

    private static final List<String> MOVES = List.of("-XX:+H2Stress", "-XX:H2RegionSize=1m", "-XX:H2ResidentSize=8m",
            "-XX:H2PoolSize=256m");

    private final List<String> layout;

    Arm(String... layout) {
        this.layout = List.of(layout);
    }

    static Arm named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** The JVM's flags, the heap's size excepted. */
    List<String> flags(Entry entry, int seed) {
        Stream<String> shared = Stream.of("-XX:+UseParallelGC", "-XX:+UnlockDiagnosticVMOptions", "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=hs_err.log", "-Xlog:gc*:file=gc.log::filecount=2,filesize=20m");
        Stream<String> h2 = this == STOCK ? Stream.of()
                : Stream.of(Stream.of("-XX:H2Size=" + entry.h2Size(), "-XX:H2StressSeed=" + seed), MOVES.stream(), layout.stream())
                        .flatMap(s -> s);
        return Stream.concat(shared, h2).toList();
    }

    Path java(Jdks jdks) {
        return switch (this) {
            case STOCK -> jdks.stock();
            case FASTDEBUG -> jdks.fastdebug();
            default -> jdks.release();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The homes of the three JVMs. */
    record Jdks(Path stock, Path release, Path fastdebug) {
    }
}
