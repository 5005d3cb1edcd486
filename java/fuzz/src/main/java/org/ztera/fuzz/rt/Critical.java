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
package org.ztera.fuzz.rt;

import java.util.function.LongSupplier;

/**
 * Critical sections of native code, during which another thread asks for a collection. The VM must put it off: native
 * code has the address of what it reads and writes.
 */
public final class Critical {
    private Critical() {}

    /** Adds to each element; returns their sum. */
    public static long add(int[] array, int delta, Runnable collect) throws InterruptedException {
        long sum = meanwhile(collect, () -> Natives.addWhileHeld(array, delta));
        FuzzError.check(sum == Natives.addCritically(array, 0), "an array changed while it was held, or its changes were lost");
        return sum;
    }

    /** A hash over the characters. */
    public static long hash(String s, Runnable collect) throws InterruptedException {
        long hash = meanwhile(collect, () -> Natives.hashWhileHeld(s));
        FuzzError.check(hash == Natives.hashCritically(s), "a string changed while it was held");
        return hash;
    }

    private static long meanwhile(Runnable collect, LongSupplier held) throws InterruptedException {
        Thread other = Thread.ofPlatform().daemon().start(() -> {
            Natives.awaitCritical();
            collect.run();
        });
        long result = held.getAsLong();
        other.join();
        return result;
    }
}
