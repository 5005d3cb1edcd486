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

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Allocates 128 MiB and prints how many full collections that caused, none of which it asked for. */
public final class ForcedCollections {
    private static final int BYTES = 128 << 20;
    private static final int ARRAY = 1000;

    private ForcedCollections() {}

    public static void main(String[] args) {
        Child.main(ForcedCollections::test);
    }

    private static void test() {
        Node list = Graphs.list(10_000, 3);
        long before = fullCollections();
        long sum = 0;
        for (int allocated = 0; allocated < BYTES; allocated += ARRAY) {
            byte[] array = new byte[ARRAY];
            array[allocated % ARRAY] = 1;
            sum += array[(int) (sum % ARRAY)];
        }
        Child.check(sum >= 0, "sum of the arrays");
        Child.equal(Graphs.listSum(10_000, 3), Graphs.sum(list), "sum of the list");
        System.out.println("full collections: " + (fullCollections() - before));
        System.out.println("moved objects: " + H2Stats.movedObjects());
    }

    private static long fullCollections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().filter(bean -> bean.getName().equals("PS MarkSweep"))
                .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }
}
