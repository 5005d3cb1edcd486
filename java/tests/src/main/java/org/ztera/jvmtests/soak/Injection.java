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
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Makes the engine of this VM fail at named points. The VM must have been started from a view with the library of
 * {@code ffi/inject}; the rules are those of {@code engine/fail}.
 */
final class Injection {
    private static final MethodHandle INJECT = function("zt_inject",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    private static final MethodHandle INJECTED = function("zt_injected",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));

    private Injection() {}

    private static MethodHandle function(String name, FunctionDescriptor type) {
        Path library = Path.of(System.getProperty("java.home"), "lib", "libztera.so");
        MemorySegment address = SymbolLookup.libraryLookup(library, Arena.global()).find(name)
                .orElseThrow(() -> new AssertionError(library + " cannot be made to fail; inject-view.sh makes a view that can"));
        return Linker.nativeLinker().downcallHandle(address, type);
    }

    /** These rules hold from now on, and no others. */
    static void rules(String text) {
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) INJECT.invokeExact(arena.allocateFrom(text));
            if (result != 0) {
                throw new AssertionError("not rules: " + text);
            }
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How often a point has failed by the rules that hold. */
    static long count(String point) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) INJECTED.invokeExact(arena.allocateFrom(point));
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
