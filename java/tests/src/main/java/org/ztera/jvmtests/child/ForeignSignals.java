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
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Native code takes SIGBUS, or blocks it, by the function that the second argument names; the first is the library of
 * {@code src/test/native/signals.c}. Objects in H2 can be read all the same, most of them not resident; and the library
 * is still told of its own faults.
 */
public final class ForeignSignals {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final int SIGBUS = 7;

    private static byte[][] rows;
    private static int readInThread;

    private ForeignSignals() {}

    public static void main(String[] args) {
        Child.main(() -> test(Path.of(args[0]), args[1]));
    }

    private static void test(Path path, String how) throws Throwable {
        rows = new byte[3000][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Graphs.bytes(8192, i);
        }
        Child.move(rows, 1);
        read();
        SymbolLookup library = SymbolLookup.libraryLookup(path, Arena.global());
        switch (how) {
            case "at_load" -> { }
            case "found_by_name" -> findSignal();
            case "in_a_thread" -> inThread(library);
            case "by_system_call" -> {
                call(library, how);
                Child.await(ForeignSignals::isNoticed, "the VM notices that the signal is not its own any more");
            }
            default -> call(library, how);
        }
        read();
        if (how.equals("by_sigaction") || how.equals("by_signal")) {
            Child.equal(1, (int) LINKER.downcallHandle(library.findOrThrow("own_fault"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT)).invokeExact(), "the library is told of its own fault");
            read();
        }
    }

    private static void call(SymbolLookup library, String how) throws Throwable {
        Child.equal(0, (int) LINKER.downcallHandle(library.findOrThrow(how), FunctionDescriptor.of(ValueLayout.JAVA_INT))
                .invokeExact(), how);
    }

    private static boolean isNoticed() {
        try {
            return !Child.h2() || Files.readString(Path.of("gc.log")).contains("threads of the engine serve faults from now on");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The program itself calls the C library. */
    private static void findSignal() throws Throwable {
        MethodHandle signal = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("signal"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        MemorySegment before = (MemorySegment) signal.invokeExact(SIGBUS, MemorySegment.NULL);
        Child.check(before.address() != -1, "signal");
    }

    private static void inThread(SymbolLookup library) throws Throwable {
        MethodHandle read = MethodHandles.lookup().findStatic(ForeignSignals.class, "readInThread", MethodType.methodType(void.class));
        MemorySegment stub = LINKER.upcallStub(read, FunctionDescriptor.ofVoid(), Arena.global());
        Child.equal(0, (int) LINKER.downcallHandle(library.findOrThrow("in_a_thread"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS)).invokeExact(stub), "a thread of native code");
        Child.equal(2, readInThread, "how often the thread has read all rows");
    }

    private static void readInThread() {
        read();
        readInThread++;
    }

    private static void read() {
        for (int i = 0; i < rows.length; i++) {
            Graphs.checkBytes(rows[i], i, "row " + i);
        }
    }
}
