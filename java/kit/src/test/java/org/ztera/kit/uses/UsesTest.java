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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ztera.kit.JavaHome;
import org.ztera.kit.Tools;

/** Each use works on a stock JVM; so what fails elsewhere is not its own fault. */
class UsesTest {
    @BeforeAll
    static void compile(@TempDir Path folder) throws Exception {
        Path library = folder.resolve("libuses.so");
        Tools.compileC(JavaHome.current(), Path.of("src/main/resources/org/ztera/kit/uses/uses.c"), library, "-fPIC", "-shared", "-pthread");
        Stranger.load(library.toString());
    }

    static Stream<Use> copies() {
        return Use.copies().stream();
    }

    @ParameterizedTest
    @MethodSource("copies")
    void bytesAreCopied(Use use) throws Exception {
        for (int length : new int[] {1, 8192, 300_000}) {
            byte[] from = new byte[length + 100];
            new Random(length).nextBytes(from);
            byte[] into = new byte[length + 7];
            use.copy(from, into, length);
            assertArrayEquals(Arrays.copyOf(from, length), Arrays.copyOf(into, length));
            use.copy(from, from, length);
        }
    }

    @Test
    void aWrongByteIsFound() {
        byte[] bytes = {1, 2, 3, 4};
        assertThrows(AssertionError.class, () -> Checksums.check(bytes, 4, new byte[] {1, 2, 3, 5}));
        assertThrows(AssertionError.class, () -> Use.verify(Use.ZLIB, new byte[] {1, 2}, new byte[] {1, 3}, 2, new byte[] {1, 2}, new byte[0]));
        assertThrows(AssertionError.class, () -> Use.verify(Use.ZLIB, new byte[] {1, 3}, new byte[] {1, 2}, 2, new byte[] {1, 2}, new byte[0]));
        assertThrows(AssertionError.class, () -> Use.verify(Use.ZLIB, new byte[] {1, 2}, new byte[] {1, 2, 4}, 2, new byte[] {1, 2}, new byte[1]));
    }

    @Test
    void usesAreCounted() {
        long times = Use.DEAD_OWNER.times();
        long old = Use.DEAD_OWNER.timesOfOld();
        Use.DEAD_OWNER.done(false);
        Use.DEAD_OWNER.done(true);
        assertEquals(times + 2, Use.DEAD_OWNER.times());
        assertEquals(old + 1, Use.DEAD_OWNER.timesOfOld());
    }

    /** In all they take several times what the JVM may take. */
    @Test
    void deadOwnersFreeTheirMemory() {
        Owners owners = new Owners(64, 64 << 10, true);
        for (int i = 0; i < 1000; i++) {
            owners.replace(i % owners.count());
        }
        owners.check();
    }

    @Test
    void deadKeysAreToldOf() throws InterruptedException {
        WeakKeys keys = new WeakKeys(100);
        for (int i = 0; i < 50; i++) {
            keys.replace(i);
        }
        collect(keys);
        keys.check();
        keys.drop();
        assertFalse(keys.allHaveTold(), keys.toString());
        collect(keys);
    }

    private static void collect(WeakKeys keys) throws InterruptedException {
        for (int i = 0; i < 100 && !keys.allHaveTold(); i++) {
            System.gc();
            Thread.sleep(i);
        }
        assertTrue(keys.allHaveTold(), keys.toString());
    }

    @Test
    void aLibraryIsToldOfItsOwnFaults() {
        for (int how = 0; how < 6; how++) {
            Stranger.faults(how);
        }
        // The VM's own use of SIGSEGV.
        Object nothing = System.getProperty("ztera.no.such.property");
        for (int i = 0; i < 20_000; i++) {
            assertThrows(NullPointerException.class, () -> nothing.hashCode());
        }
    }

    @Test
    void strangeThreadsRunJava() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Stranger.runs(true, () -> thread.set(Thread.currentThread()));
        assertFalse(thread.get() == Thread.currentThread());
        assertThrows(IllegalStateException.class, () -> Stranger.runs(false, () -> {
            throw new IllegalStateException();
        }));
    }
}
