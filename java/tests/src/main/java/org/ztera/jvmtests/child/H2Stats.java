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

import org.ztera.H2;

/**
 * The statistics that children assert on, with the few statements about them that several need. Nothing
 * is asserted in stock mode, where all figures are 0.
 */
public final class H2Stats {
    private H2Stats() {}

    /** Bytes in regions that hold objects. */
    public static long used() {
        return H2.stats().usedBytes();
    }

    /** Regions that hold objects. */
    public static long regionsUsed() {
        return H2.stats().regionsUsed();
    }

    /** Regions freed since the VM started. */
    public static long regionsFreed() {
        return H2.stats().regionsFreed();
    }

    /** Objects moved since the VM started. */
    public static long movedObjects() {
        return H2.stats().movedObjects();
    }

    /** Bytes moved since the VM started. */
    public static long movedBytes() {
        return H2.stats().movedBytes();
    }

    /** Live entries of the tag table. */
    public static long tags() {
        return H2.stats().tags();
    }

    /** Bytes of one region. */
    public static long regionBytes() {
        return H2.stats().regionBytes();
    }

    /** Fails unless {@code actual} is at least {@code least}. */
    public static void atLeast(long least, long actual, String what) {
        Child.check(!Child.h2() || actual >= least, what + ": expected at least " + least + " but was " + actual);
    }

    /** Fails unless {@code actual} is at most {@code most}. */
    public static void atMost(long most, long actual, String what) {
        Child.check(!Child.h2() || actual <= most, what + ": expected at most " + most + " but was " + actual);
    }

    /** Fails unless {@code actual} is exactly {@code expected}. */
    public static void exactly(long expected, long actual, String what) {
        Child.check(!Child.h2() || actual == expected, what + ": expected " + expected + " but was " + actual);
    }
}
