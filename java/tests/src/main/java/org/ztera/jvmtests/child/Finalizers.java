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

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ztera.H2;

/**
 * An object with a finalizer may move. When nothing reaches its region any more, the finalizer runs once
 * and finds object and graph intact, may resurrect it, and only then the region dies.
 */
public final class Finalizers {
    private static final int N = 100;

    private static final AtomicInteger finalized = new AtomicInteger();
    private static final AtomicLong sum = new AtomicLong();
    private static volatile Object resurrected;
    private static Object[] group;

    private Finalizers() {}

    public static void main(String[] args) {
        Child.main(Finalizers::test);
    }

    /** Sums its list when it is finalized; one of them comes back to life. */
    private static final class Closing extends Node {
        Closing(long value) {
            super(value);
            left = Graphs.list(5, value);
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            sum.addAndGet(value + Graphs.sum(left));
            if (value == 0) {
                resurrected = this;
            }
            finalized.incrementAndGet();
        }
    }

    private static void test() throws InterruptedException {
        WeakReference<Object> weak = build();
        Child.youngGcs(2);
        Child.fullGcs(2);
        Child.equal(0, finalized.get(), "finalizers that ran while the objects were reachable");
        H2Stats.atLeast(1, H2Stats.regionsUsed(), "regions");
        group = null;
        Child.gcUntil(() -> finalized.get() == N, 3, "all finalizers ran");
        Child.check(weak.refersTo(null), "weak references are cleared before finalization");
        Child.equal(expectedSum(), sum.get(), "what the finalizers saw");
        checkResurrected();
        resurrected = null;
        Child.gcUntil(() -> !Child.h2() || H2Stats.regionsUsed() == 0, 3, "the region dies after its finalizers");
        Child.equal(N, finalized.get(), "finalizers run once");
    }

    private static WeakReference<Object> build() {
        group = new Object[N];
        for (int i = 0; i < N; i++) {
            group[i] = new Closing(i);
        }
        Child.move(group, 1);
        Child.inH2(group[1], "an object with a finalizer");
        // A second group, tagged and moved although nothing but finalization still needs it.
        H2.tag(new Closing(0), 2);
        H2.move(2);
        Child.fullGc();
        return finishSecondGroup();
    }

    private static WeakReference<Object> finishSecondGroup() {
        try {
            Child.await(() -> finalized.get() == 1, "the unreachable object is finalized");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        finalized.set(0);
        sum.set(0);
        resurrected = null;
        return new WeakReference<>(group[3]);
    }

    private static void checkResurrected() {
        Closing back = (Closing) resurrected;
        Child.inH2(back, "the resurrected object");
        Child.fullGcs(2);
        Child.equal(Graphs.listSum(5, 0), Graphs.sum(back.left), "the resurrected object's list");
    }

    private static long expectedSum() {
        long expected = 0;
        for (int i = 0; i < N; i++) {
            expected += i + Graphs.listSum(5, i);
        }
        return expected;
    }
}
