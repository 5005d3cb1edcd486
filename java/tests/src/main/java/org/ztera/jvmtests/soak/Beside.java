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
package org.ztera.jvmtests.soak;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Memory beside the heap, and weak keys: nothing is left of them when all was given up. */
final class Beside {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    /** Buffers that the JDK keeps for each thread which has used channels. */
    private static final long CACHED_BYTES = 4 << 20;

    private Beside() {}

    /** Waits for the threads that tell; collections have found the dead already. */
    static void settle(World[] worlds) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!Arrays.stream(worlds).allMatch(World::usesHaveTold) || directBytes() > CACHED_BYTES) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("of what nothing reaches, not all is found dead: " + Arrays.toString(worlds)
                        + ", direct buffers have " + directBytes() + " bytes");
            }
            Thread.sleep(10);
        }
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream().filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}
