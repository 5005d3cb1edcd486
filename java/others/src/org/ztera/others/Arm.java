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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ztera.kit.JavaHome;
import org.ztera.kit.OopMode;

/**
 * A way to run a program: a JVM and its object layout. All but the first move random objects at each full collection.
 */
enum Arm {
    /** The base JDK, whose answer is the right one. */
    STOCK(OopMode.NARROW),
    MIXED(OopMode.NARROW, "-XX:+H2Verify"),
    /** Not verified: verification touches every page, so here the faults are the program's and the collector's own. */
    COMPACT(OopMode.NARROW_COMPACT),
    WIDE(OopMode.WIDE, "-XX:+H2Verify"),
    FASTDEBUG(OopMode.NARROW, "-XX:+H2Verify");

    private static final List<String> SHARED = List.of("-XX:+UseParallelGC", "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=hs_err.log", "-Xlog:gc*:file=gc.log::filecount=2,filesize=20m");
    private static final List<String> MOVES = List.of("-XX:+H2Stress", "-XX:H2RegionSize=1m", "-XX:H2ResidentSize=8m",
            "-XX:H2PoolSize=256m");

    private final OopMode layout;
    private final List<String> more;

    Arm(OopMode layout, String... more) {
        this.layout = layout;
        this.more = List.of(more);
    }

    static Arm named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** The JVM's flags, the heap's size excepted. */
    List<String> flags(Entry entry, int seed) {
        List<String> flags = new ArrayList<>(SHARED);
        if (this != STOCK) {
            flags.addAll(layout.flags());
            flags.addAll(List.of("-XX:H2Size=" + entry.h2Size(), "-XX:H2StressSeed=" + seed));
            flags.addAll(MOVES);
            flags.addAll(more);
        }
        return flags;
    }

    JavaHome java(Jdks jdks) {
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
    record Jdks(JavaHome stock, JavaHome release, JavaHome fastdebug) {
    }
}
