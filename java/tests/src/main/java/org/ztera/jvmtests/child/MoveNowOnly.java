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

import java.nio.file.Files;
import java.nio.file.Path;
import org.ztera.H2;

/**
 * Moves without the help of {@code System.gc}, and needs no more DRAM than a small program does, however
 * large H2 may become. For runs with unusual flags.
 */
public final class MoveNowOnly {
    private static final long MOST_RESIDENT_KIB = 1 << 20;

    private static Node list;

    private MoveNowOnly() {}

    public static void main(String[] args) {
        Child.main(() -> {
            list = Graphs.list(1000, 5);
            H2.tag(list, 1);
            H2.moveNow(1);
            Child.inH2(list, "the list");
            Child.equal(Graphs.listSum(1000, 5), Graphs.sum(list), "sum");
            long peak = Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(l -> l.startsWith("VmHWM:"))
                    .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", ""))).findFirst().orElseThrow();
            Child.check(peak < MOST_RESIDENT_KIB, "peak of resident memory: " + peak + " KiB");
        });
    }
}
