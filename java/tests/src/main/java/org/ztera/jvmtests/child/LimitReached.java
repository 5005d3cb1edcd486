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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Fills H2 with data that do not compress, then the ordinary heap, until nothing has room, and goes on with less. The
 * process used to take more than its memory limit, for which the kernel kills it.
 */
public final class LimitReached {
    private static final int BYTES = 50_000;
    private static final int ARRAYS = 40;
    /** In H2: most of what it has beside a small ordinary heap. */
    private static final int MOVED = 45;
    /** More than the ordinary heap can hold beside them, less than its maximum. */
    private static final int GROUPS = MOVED + 80;

    private static List<byte[][]> groups = new ArrayList<>();

    private LimitReached() {}

    public static void main(String[] args) {
        Child.main(LimitReached::test);
    }

    private static void test() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < MOVED; i++) {
            groups.add(group(random));
            Child.move(groups.getLast(), i);
        }
        boolean filled = isFilled(random);
        groups.subList(MOVED, groups.size()).clear();
        Child.check(filled || !Child.h2(), "all had room");
        Child.fullGc();
        for (int i = 0; i < 10; i++) {
            groups.add(group(random));
        }
        Child.equal(MOVED + 10, groups.size(), "groups");
    }

    private static boolean isFilled(Random random) {
        try {
            while (groups.size() < GROUPS) {
                groups.add(group(random));
            }
            return false;
        } catch (OutOfMemoryError e) {
            return true;
        }
    }

    private static byte[][] group(Random random) {
        byte[][] group = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            group[i] = new byte[BYTES];
            random.nextBytes(group[i]);
        }
        return group;
    }
}
