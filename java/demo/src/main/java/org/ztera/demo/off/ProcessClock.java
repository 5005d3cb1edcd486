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
package org.ztera.demo.off;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * CPU time of all threads of this process, to the nanosecond. The JDK's beans count in hundredths of a second.
 */
final class ProcessClock {
    /** CLOCK_PROCESS_CPUTIME_ID of Linux. */
    private static final int PROCESS_CPU_TIME = 2;
    private static final int TIMESPEC_LONGS = 2;
    @SuppressWarnings("restricted") // It is the function that it says it is.
    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private ProcessClock() {
    }

    static long nanoseconds() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, TIMESPEC_LONGS);
            if ((int) CLOCK_GETTIME.invokeExact(PROCESS_CPU_TIME, time) != 0) {
                throw new IllegalStateException("clock_gettime failed");
            }
            return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000 + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }
}
