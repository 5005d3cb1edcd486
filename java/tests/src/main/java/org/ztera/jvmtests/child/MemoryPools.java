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
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * The management interface: one more memory pool, named H2, only when H2 is on; the heap's figures and
 * {@link Runtime} go on to mean H1. Argument: the expected {@code Runtime.maxMemory} bound in MiB.
 */
public final class MemoryPools {
    private static byte[] data;

    private MemoryPools() {}

    public static void main(String[] args) {
        long limit = Long.parseLong(args[0]) << 20;
        Child.main(() -> {
            runtime(limit);
            pool(limit);
        });
    }

    private static void runtime(long limit) {
        Runtime r = Runtime.getRuntime();
        Child.check(r.maxMemory() <= limit, "Runtime.maxMemory counts more than H1: " + r.maxMemory());
        Child.check(r.totalMemory() <= limit, "Runtime.totalMemory counts more than H1: " + r.totalMemory());
    }

    private static void pool(long limit) {
        MemoryPoolMXBean pool = find();
        Child.equal(Child.h2(), pool != null, "there is a memory pool named H2");
        long before = pool == null ? 0 : pool.getUsage().getUsed();
        data = Child.move(Graphs.bytes(20_000_000, 1), 1);
        if (pool != null) {
            MemoryUsage usage = pool.getUsage();
            // It does not compress. A page that is just being stored may count in neither place.
            Child.check(usage.getUsed() >= before + 15_000_000, "used bytes of the pool: " + usage);
            Child.equal(usage.getUsed(), usage.getCommitted(), "what is used is memory");
            Child.equal(-1L, usage.getMax(), "H2 shares the limit of the process");
            Child.equal(MemoryType.NON_HEAP, pool.getType(), "alerts on the heap watch H1");
            Child.check(pool.isValid() && pool.getPeakUsage() != null, "the pool is valid");
            Child.check(!pool.isUsageThresholdSupported(), "who warns of little memory does not watch the pool");
        }
        Child.fullGc();
        Runtime r = Runtime.getRuntime();
        Child.check(r.totalMemory() - r.freeMemory() < (Child.h2() ? 15_000_000 : limit), "what moved left H1");
        long max = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
        Child.check(max <= limit, "the heap's maximum counts more than H1: " + max);
        long sum = sumOfMaxima();
        Child.check(sum > 0 && sum <= limit, "the maxima of the heap's pools count more than H1: " + sum);
        Graphs.checkBytes(data, 1, "data");
    }

    /** As dashboards add them up. */
    private static long sumOfMaxima() {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getUsage().getMax()).sum();
    }

    private static MemoryPoolMXBean find() {
        MemoryPoolMXBean found = null;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            System.out.println("POOL " + pool.getName());
            if (pool.getName().contains("H2")) {
                Child.equal("H2", pool.getName(), "name of the pool");
                Child.check(found == null, "there is one such pool");
                found = pool;
            }
        }
        return found;
    }
}
