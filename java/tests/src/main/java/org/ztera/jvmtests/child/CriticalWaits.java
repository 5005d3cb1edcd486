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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.ztera.H2;

/**
 * A thread that wants a critical section while a collection is due has to wait for it; its array, which was in H1 when
 * it asked, may be in H2 then. The address that it gets can be given to the kernel. The first argument is the path of
 * the agent (see {@link NativeHeap}).
 */
public final class CriticalWaits {
    /** Long enough for a thread to reach where it waits; where it is not, the test shows nothing, but does not fail. */
    private static final int MILLIS_TO_BLOCK = 200;

    private CriticalWaits() {}

    public static void main(String[] args) {
        System.load(args[0]);
        Child.main(CriticalWaits::test);
    }

    private static void test() throws Exception {
        byte[] array = Graphs.bytes(1_000_000, 3);
        H2.tag(array, 1);
        Executor threads = task -> Thread.ofPlatform().start(task);
        var holder = CompletableFuture.runAsync(() -> NativeHeap.criticalHold(new byte[1]), threads);
        Child.await(NativeHeap::criticalHeld, "somebody is in a critical section");
        var mover = CompletableFuture.runAsync(() -> H2.moveNow(1), threads);
        Thread.sleep(MILLIS_TO_BLOCK);
        byte[] copy = new byte[array.length];
        var user = CompletableFuture.supplyAsync(() -> NativeHeap.criticalCopy(array, copy), threads);
        Thread.sleep(MILLIS_TO_BLOCK);
        NativeHeap.criticalRelease();
        CompletableFuture.allOf(holder, mover).join();
        Child.inH2(array, "the array");
        Child.check(user.join(), "system calls in the critical section");
        Graphs.checkBytes(copy, 3, "what the kernel wrote");
    }
}
