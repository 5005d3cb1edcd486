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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The ordinary heap grows and shrinks, and waits each time while the parent looks at what is left for H2. */
public final class Sharing {
    private static byte[][] kept;

    private Sharing() {}

    public static void main(String[] args) {
        Child.main(Sharing::test);
    }

    private static void test() throws Exception {
        Child.fullGc();
        look(0);
        kept = new byte[80][];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new byte[1_000_000];
        }
        Child.fullGc();
        look(1);
        kept = null;
        Child.fullGc();
        Child.fullGc();
        look(2);
    }

    /** Tells the parent what is in memory, and waits until it has looked, too. */
    static void look(int step) throws Exception {
        System.out.println("RESIDENT " + residentKib());
        System.out.println("STEP " + step);
        Child.ready();
    }

    private static long residentKib() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
