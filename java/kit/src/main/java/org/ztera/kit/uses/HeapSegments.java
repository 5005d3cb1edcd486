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

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the C library, which get the addresses of arrays. */
final class HeapSegments {
    private static final MethodHandle MEMMOVE = critical("memmove", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    private static final MethodHandle PWRITE = critical("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PREAD = critical("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MEMFD = function("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private HeapSegments() {}

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    private static MethodHandle critical(String name, FunctionDescriptor type) {
        return function(name, type, Linker.Option.critical(true));
    }

    static void move(byte[] from, byte[] into, int length) throws Exception {
        try {
            MemorySegment result = (MemorySegment) MEMMOVE.invokeExact(MemorySegment.ofArray(into), MemorySegment.ofArray(from), (long) length);
            Use.HEAP_SEGMENT.check(result.address() != 0, "has no result");
        } catch (Throwable t) {
            throw rethrown(t);
        }
    }

    static void byKernel(byte[] from, byte[] into, int length) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            int file = (int) MEMFD.invokeExact(arena.allocateFrom("array"), 0);
            long written = (long) PWRITE.invokeExact(file, MemorySegment.ofArray(from), (long) length, 0L);
            long read = (long) PREAD.invokeExact(file, MemorySegment.ofArray(into), (long) length, 0L);
            Use.SYSTEM_CALL.check((int) CLOSE.invokeExact(file) == 0 && written == length && read == length, "writes " + written + " and reads " + read);
        } catch (Throwable t) {
            throw rethrown(t);
        }
    }

    private static Exception rethrown(Throwable t) {
        if (t instanceof Error e) {
            throw e;
        }
        return (Exception) t;
    }
}
