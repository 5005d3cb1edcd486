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

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.ztera.H2;
import org.ztera.micrometer.H2Metrics;

/** A group moves, and the meters of a registry tell of it; on a JVM without a second heap there are none. */
public final class Metered {
    private static final int BYTES = 16_000_000;

    private static byte[] kept;

    private Metered() {}

    public static void main(String[] args) {
        Child.main(Metered::test);
    }

    private static void test() throws InterruptedException {
        MeterRegistry registry = new SimpleMeterRegistry();
        new H2Metrics().bindTo(registry);
        kept = Child.move(Graphs.bytes(BYTES, 1), 1);
        Graphs.checkBytes(kept, 1, "what moved");
        if (!Child.h2()) {
            Child.equal(0, registry.getMeters().size(), "meters of a JVM without a second heap");
            return;
        }
        Child.await(() -> registry.get("ztera.h2.used.bytes").gauge().value() >= BYTES, "the meter follows the heap");
        Child.equal((double) H2.stats().movedBytes(), registry.get("ztera.h2.moved.bytes").functionCounter().count(), "what moved");
        Child.equal((double) H2.stats().capacityBytes(), registry.get("ztera.h2.capacity.bytes").gauge().value(), "the size");
        if (H2Info.read().find("fault_count").isPresent()) {
            Child.check(registry.get("ztera.h2.memory.limit.bytes").gauge().value() > 0, "the limit was divided by the collection");
            Child.await(() -> registry.get("ztera.h2.fault").functionTimers().stream().mapToDouble(timer -> timer.count()).sum() > 0,
                    "faults have times");
        }
    }
}
