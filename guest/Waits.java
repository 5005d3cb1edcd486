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

import java.util.Arrays;
import org.ztera.H2;

/** Has 48 MiB in the second heap, says so, and waits until it is ended. */
public final class Waits {
    private static final byte[][] KEPT = new byte[48][1 << 20];

    private Waits() {
    }

    /** Runs it. */
    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < KEPT.length; i++) {
            Arrays.fill(KEPT[i], (byte) i);
        }
        H2.tag(KEPT, 1);
        H2.moveNow(1);
        System.out.println("in the second heap: " + H2.contains(KEPT[7]));
        Thread.sleep(Long.MAX_VALUE);
    }
}
