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

/** Puts objects into H2 and has its process killed by a signal that the VM takes for its own crash. */
public final class Crash {
    private static Object kept;

    private Crash() {}

    public static void main(String[] args) {
        Child.main(() -> {
            kept = Child.move(Graphs.list(1000, 0), 1);
            long pid = ProcessHandle.current().pid();
            new ProcessBuilder("kill", "-SEGV", Long.toString(pid)).inheritIO().start().waitFor();
            Thread.sleep(60_000);
            Child.check(kept == null, "the VM survived its crash");
        });
    }
}
