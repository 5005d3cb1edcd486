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
package org.ztera.others.child;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** A daemon thread that makes a full collection whenever the program has allocated so many bytes. */
final class GcEvery implements Runnable {
    private static final long POLL_MILLIS = 2;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long bytes;
    private volatile long collections;

    private GcEvery(long bytes) {
        this.bytes = bytes;
    }

    static GcEvery start(long bytes) {
        GcEvery collector = new GcEvery(bytes);
        Thread.ofPlatform().daemon().name("gc-every").start(collector);
        return collector;
    }

    long collections() {
        return collections;
    }

    @Override
    public void run() {
        long next = threads.getTotalThreadAllocatedBytes() + bytes;
        while (true) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                // A program that interrupts all threads that it finds does not mean this one.
                continue;
            }
            if (threads.getTotalThreadAllocatedBytes() >= next) {
                System.gc();
                collections++;
                next = threads.getTotalThreadAllocatedBytes() + bytes;
            }
        }
    }
}
