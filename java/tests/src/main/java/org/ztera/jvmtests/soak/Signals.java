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

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Does to signals what native code of others does, without a thought of H2. */
final class Signals {
    private static final int SIGBUS = 7;
    private static final int SIG_BLOCK = 0;
    /** Bytes of a {@code sigset_t}. */
    private static final int SET = 128;

    private static final MethodHandle SIGNAL = function("signal",
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    private static final MethodHandle SIGMASK = function("pthread_sigmask",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

    private Signals() {}

    private static MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(name), type);
    }

    /** Takes SIGBUS away from the VM, and blocks it in this thread. (No JVM survives a thread that blocks SIGSEGV.) */
    static void disturb() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = (MemorySegment) SIGNAL.invokeExact(SIGBUS, MemorySegment.NULL);
            MemorySegment set = arena.allocate(SET);
            set.set(ValueLayout.JAVA_BYTE, 0, (byte) (1 << SIGBUS - 1));
            if (before.address() == -1 || (int) SIGMASK.invokeExact(SIG_BLOCK, set, MemorySegment.NULL) != 0) {
                throw new AssertionError("the signals cannot be disturbed");
            }
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
