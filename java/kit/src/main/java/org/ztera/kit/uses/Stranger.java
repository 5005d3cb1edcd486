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
package org.ztera.kit.uses;

/** Native code of others: it takes signals and blocks them without a thought of the VM. */
public final class Stranger {
    private Stranger() {}

    /** Loads the library of all native uses, which was compiled from {@code uses.c}. */
    @SuppressWarnings("restricted")
    public static void load(String library) {
        System.load(library);
    }

    /**
     * Takes SIGBUS, by one of several functions, and SIGSEGV; then meets one of each, as storage libraries do that read
     * mapped files. The library passes on a SIGSEGV that is not its own, as no JVM can do without. A SIGBUS that is not
     * its own ends the process.
     */
    public static synchronized void faults(int how) {
        Use.STRANGE_FAULT.check(takesAndFaults(how) == 2, "were not told to the library");
        Use.STRANGE_FAULT.done(false);
    }

    /** One after the other: the signals are the whole process's. */
    public static synchronized void alone(Runnable code) {
        code.run();
    }

    /** A thread of native code runs the code, and blocks SIGBUS before it is attached to the VM or else afterwards. */
    public static void runs(boolean blocksEarly, Runnable code) {
        runInThread(blocksEarly, code);
    }

    /** How many of two faults the library was told of. */
    private static native int takesAndFaults(int how);

    private static native void runInThread(boolean blocksEarly, Runnable code);
}
