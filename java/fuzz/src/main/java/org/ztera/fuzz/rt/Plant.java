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

/** Mistakes made on purpose, by a system property, so that tests can see the fuzzer find them. */
enum Plant {
    /** The walk misreads char arrays. */
    CHARS,
    /** A weak reference is cleared too early. */
    WEAK,
    /** A group that was dropped is kept. */
    UNDEAD,
    /** The process ends when garbage is made. */
    DIE,
    /** The process ends after a program, as if all were well. */
    LEAVE,
    /** The process stops when garbage is made. */
    HANG;

    private static final String planted = System.getProperty("fuzz.plant", "");

    boolean isPlanted() {
        return planted.equalsIgnoreCase(name());
    }

    static void afterAProgram() {
        if (LEAVE.isPlanted()) {
            Runtime.getRuntime().halt(0);
        }
    }

    static void whereGarbageIsMade() {
        if (DIE.isPlanted()) {
            Runtime.getRuntime().halt(77);
        }
        while (HANG.isPlanted()) {
            Thread.onSpinWait();
        }
    }
}
