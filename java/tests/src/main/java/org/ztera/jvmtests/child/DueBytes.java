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

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ztera.H2;

/**
 * Groups in H2 that the memory limit has no room for once the ordinary heap has its full size. Takes how many of a
 * thousand bytes are random, and whether something is due then.
 */
public final class DueBytes {
    private static final int GROUPS = 8;
    private static final int ARRAYS = 200;
    private static final int BYTES = 50_000;
    private static final int PERIOD = 1000;
    /** The JVM measures each second what lies beside both heaps, and may have done so just now. */
    private static final long TOLERANCE = 8 << 20;

    private static List<byte[][]> groups = new ArrayList<>();

    private DueBytes() {}

    public static void main(String[] args) {
        Child.main(() -> test(Integer.parseInt(args[0]), Boolean.parseBoolean(args[1])));
    }

    private static void test(int randomBytes, boolean due) {
        Child.equal(0L, H2.stats().dueBytes(), "due of an empty H2");
        Random random = new Random(1);
        for (int i = 0; i < GROUPS; i++) {
            groups.add(Child.move(group(random, randomBytes), i));
        }
        check(due);
        groups.subList(0, GROUPS / 2).clear();
        Child.fullGc();
        check(due);
        groups.clear();
        Child.fullGc();
        Child.equal(0L, H2.stats().dueBytes(), "due once all is dropped");
    }

    private static void check(boolean due) {
        if (!Child.h2()) {
            return;
        }
        H2.Stats stats = H2.stats();
        long expected = due ? Math.max(stats.usedBytes() - keptBesideFullHeap(), 0) : 0;
        Child.check(!due || groups.size() < GROUPS || expected > 2 * TOLERANCE, "nothing is due: " + expected);
        Child.check(Math.abs(stats.dueBytes() - expected) <= (due ? TOLERANCE : 0), "due: expected about " + expected + ", " + stats);
    }

    /** H2 may keep so much when the ordinary heap is as large as it may be. */
    private static long keptBesideFullHeap() {
        H2Info info = H2Info.read();
        long limit = info.value("limit_bytes");
        long heap = ManagementFactory.getRuntimeMXBean().getInputArguments().stream().filter(flag -> flag.startsWith("-Xmx"))
                .mapToLong(flag -> Long.parseLong(flag.replaceAll("\\D", "")) << 20).max().orElseThrow();
        long least = Math.max(limit / 32, 8 << 20) + Math.clamp(limit / 16, 8L << 20, 32L << 20);
        return Math.max(limit - heap - info.value("beside_bytes") - info.value("staging_bytes"), least);
    }

    private static byte[][] group(Random random, int randomBytes) {
        byte[][] group = new byte[ARRAYS][BYTES];
        for (byte[] array : group) {
            for (int at = 0; at < BYTES; at += PERIOD) {
                for (int i = 0; i < randomBytes; i++) {
                    array[at + i] = (byte) random.nextInt();
                }
            }
        }
        return group;
    }
}
