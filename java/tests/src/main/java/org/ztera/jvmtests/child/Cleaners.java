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

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Cleaning actions of objects in H2 run when their region dies, once, and not before. */
public final class Cleaners {
    private static final int N = 100;

    private static final Cleaner cleaner = Cleaner.create();
    private static final AtomicInteger before = new AtomicInteger();
    private static final AtomicInteger after = new AtomicInteger();
    private static Object[] group;

    private Cleaners() {}

    public static void main(String[] args) {
        Child.main(Cleaners::test);
    }

    private static void test() throws InterruptedException {
        build();
        Child.youngGcs(2);
        Child.fullGcs(2);
        Child.equal(0, before.get() + after.get(), "actions that ran too early");
        Child.equal(7, ((ByteBuffer) group[N]).getInt(0), "direct buffer");
        ((Cleaner.Cleanable) group[N + 1]).clean();
        Child.equal(1, before.get(), "actions after an explicit clean");
        group = null;
        Child.fullGc();
        Child.await(() -> before.get() == N && after.get() == N, "all cleaning actions run");
        H2Stats.exactly(0, H2Stats.regionsUsed(), "regions");
    }

    /** Half of the actions are registered before the move, half after it. */
    private static void build() {
        group = new Object[N + 2];
        for (int i = 0; i < N; i++) {
            group[i] = new Node(i);
            Cleaner.Cleanable c = cleaner.register(group[i], before::incrementAndGet);
            if (i == 0) {
                group[N + 1] = c;
            }
        }
        // A direct buffer brings a cleaner of the JDK's own (a PhantomReference, so it stays in H1).
        group[N] = ByteBuffer.allocateDirect(4096).putInt(0, 7);
        Child.move(group, 1);
        for (int i = 0; i < N; i++) {
            Child.inH2(group[i], "an object with a cleaner");
            cleaner.register(group[i], after::incrementAndGet);
        }
    }
}
