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

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The native memory of a move does not grow with how often a group refers to constants. Run with native memory
 * tracking.
 */
public final class ManyConstants {
    private static final int N = 4_000_000;
    private static final int MOST_KB = 16 * 1024;
    private static final Pattern PEAK = Pattern.compile("GC \\(reserved=[^\\n]*\\n\\s*\\(malloc=[^)]*\\) \\((?:peak=(\\d+)KB|at peak)");

    private static Object[] group;

    private ManyConstants() {}

    public static void main(String[] args) {
        Child.main(ManyConstants::test);
    }

    private static void test() throws Exception {
        Child.move(new Object[] {0}, 1);
        long before = peak();
        group = new Object[N];
        for (int i = 0; i < N; i++) {
            group[i] = constant(i);
        }
        Child.move(group, 2);
        long grown = peak() - before;
        Child.check(!Child.h2() || grown < MOST_KB, "native memory of the collector has grown by " + grown + " KB");
        for (int i = 0; i < N; i++) {
            Child.check(group[i] == constant(i), "constant " + i);
        }
    }

    /** One of the values that the JDK has in caches, each time another one. */
    private static Object constant(int i) {
        byte value = (byte) (i / 4);
        return switch (i % 4) {
            case 0 -> value;
            case 1 -> (short) value;
            case 2 -> (int) value;
            default -> (long) value;
        };
    }

    /** KiB that the collector's part of the VM had allocated at most. */
    private static long peak() throws Exception {
        String summary = Jcmd.run("vmNativeMemory", "summary");
        Matcher matcher = PEAK.matcher(summary);
        Child.check(matcher.find(), summary);
        if (matcher.group(1) != null) {
            return Long.parseLong(matcher.group(1));
        }
        Matcher now = Pattern.compile("GC \\(reserved=[^\\n]*\\n\\s*\\(malloc=(\\d+)KB").matcher(summary);
        Child.check(now.find(), summary);
        return Long.parseLong(now.group(1));
    }
}
