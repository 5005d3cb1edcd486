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
package org.ztera.spark;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How large H2 is where the user does not say. Sizes are in bytes. */
final class Sizing {
    private static final long GIB = 1L << 30;
    /** H1 and H2 together stay below this where they can: a JVM shortens references up to 32 GiB. */
    private static final long SHORT_REFERENCES = 31 * GIB;
    /** The most that the JVM takes. */
    private static final long MOST = 4096 * GIB;
    /** H2 is at least this many times H1: it is address space, and costs nothing until it is used. */
    private static final long TIMES_HEAP = 4;

    private static final Pattern SIZE = Pattern.compile("(\\d+)([kmgt]?)", Pattern.CASE_INSENSITIVE);

    private Sizing() {
    }

    /**
     * Four times the heap, at least 4 GiB; less if that keeps references short and still is as much as the heap. A
     * ZTera JVM that runs Spark in local mode has as much by itself.
     */
    static long defaultH2Size(long heap) {
        long wanted = Math.min(Math.max(TIMES_HEAP * heap, 4 * GIB), MOST) / GIB * GIB;
        long beforeLongReferences = (SHORT_REFERENCES - heap) / GIB * GIB;
        return beforeLongReferences >= heap ? Math.min(wanted, beforeLongReferences) : wanted;
    }

    /**
     * The options of an executor's JVM, completed.
     *
     * @param given the user's options; what they say stays
     * @param heap the executor's {@code -Xmx}
     * @param limit what the process may use in all, if that is known here and nowhere else
     */
    static String executorOptions(String given, long heap, OptionalLong limit) {
        String options = given;
        if (h2Size(options).isEmpty()) {
            options += " -XX:H2Size=" + defaultH2Size(heap);
        }
        if (limit.isPresent() && flag(options, "H2MemoryLimit").isEmpty()) {
            options += " -XX:H2MemoryLimit=" + limit.getAsLong();
        }
        return options.trim();
    }

    /** The value of {@code -XX:H2Size} among JVM options. */
    static OptionalLong h2Size(String options) {
        return flag(options, "H2Size");
    }

    /** As in the JVM, the last of several counts. */
    private static OptionalLong flag(String options, String name) {
        OptionalLong value = OptionalLong.empty();
        Matcher matcher = Pattern.compile("-XX:" + name + "=([^\\s\"']+)").matcher(options);
        while (matcher.find()) {
            value = OptionalLong.of(bytes(matcher.group(1)));
        }
        return value;
    }

    private static long bytes(String size) {
        Matcher matcher = SIZE.matcher(size);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("ZTera: not a size that the JVM takes: " + size);
        }
        int shift = 10 * "kmgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT)) + (matcher.group(2).isEmpty() ? 0 : 10);
        return Long.parseLong(matcher.group(1)) << shift;
    }
}
