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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.ztera.H2;
import org.ztera.jvmtests.child.H2Info;

/**
 * As {@link End}, in compiled code with accesses through a {@link VarHandle}: there HotSpot skips an access that the
 * kernel answers with SIGBUS, lest a mapped file that has shrunk ends the VM, and throws an error somewhat later.
 */
public final class EndCompiled {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int LENGTH = 1000;

    private EndCompiled() {}

    public static void main(String[] args) {
        long[][] group = new long[4000][LENGTH];
        for (int i = 0; i < group.length; i++) {
            SplittableRandom random = new SplittableRandom(i);
            Arrays.setAll(group[i], j -> random.nextLong());
        }
        long expected = sum(group);
        H2.tag(group, 1);
        H2.moveNow(1);
        // Loads the classes that this needs: code that is compiled now is not thrown away by that.
        Injection.rules("");
        for (int i = 0; i < 10; i++) {
            check(expected, group);
        }
        if (H2Info.read().value("bd_count") == 0) {
            throw new AssertionError("nothing is on SSD, so this is no test");
        }
        System.out.println("END begins");
        Injection.rules(String.join("\n", args));
        try {
            check(expected, group);
        } catch (Throwable t) {
            System.out.println("the program was told: " + t);
        }
        System.out.println("END survived");
    }

    private static void check(long expected, long[][] group) {
        if (sum(group) != expected) {
            throw new AssertionError("other elements");
        }
    }

    private static long sum(long[][] group) {
        long sum = 0;
        for (long[] array : group) {
            sum += sum(array);
        }
        return sum;
    }

    private static long sum(long[] array) {
        long sum = (long) ELEMENT.getAcquire(array, 0);
        for (int i = 1; i < array.length; i++) {
            sum += array[i];
        }
        return sum;
    }
}
