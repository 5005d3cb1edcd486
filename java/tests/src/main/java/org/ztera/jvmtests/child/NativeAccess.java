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

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Native code works on arrays in H2: in JNI critical sections (java.util.zip), and with the argument "all" also by
 * system calls that are given an H2 address whose pages may not be resident.
 */
public final class NativeAccess {
    private static final int SIZE = 6_000_000;

    private static byte[] source;
    private static byte[] target;

    private NativeAccess() {}

    public static void main(String[] args) {
        Child.main(() -> test(args[0].equals("all")));
    }

    private static void test(boolean withSystemCalls) throws Throwable {
        source = Graphs.bytes(SIZE, 1);
        for (int i = 0; i < SIZE; i += 3) {
            source[i] = 0;
        }
        target = new byte[SIZE];
        byte[] reference = source.clone();
        Child.move(source, 1);
        Child.move(target, 2);
        zip(reference);
        if (withSystemCalls) {
            systemCalls(reference);
        }
        Child.fullGc();
        Child.check(java.util.Arrays.equals(reference, source), "the source is unchanged");
    }

    private static void zip(byte[] reference) throws Exception {
        CRC32 crc = new CRC32();
        crc.update(source);
        CRC32 expected = new CRC32();
        expected.update(reference);
        Child.equal(expected.getValue(), crc.getValue(), "CRC of an array in H2");
        Adler32 adler = new Adler32();
        adler.update(source);
        Adler32 expectedAdler = new Adler32();
        expectedAdler.update(reference);
        Child.equal(expectedAdler.getValue(), adler.getValue(), "Adler checksum of an array in H2");

        byte[] packed = Child.move(new byte[SIZE + 1000], 3);
        try (Closing<Deflater> d = new Closing<>(new Deflater(1), Deflater::end);
                Closing<Inflater> i = new Closing<>(new Inflater(), Inflater::end)) {
            d.it().setInput(source);
            d.it().finish();
            int n = d.it().deflate(packed);
            Child.fullGc();
            i.it().setInput(packed, 0, n);
            Child.equal(SIZE, i.it().inflate(target), "inflated bytes");
        }
        Child.check(java.util.Arrays.equals(reference, target), "deflated and inflated in H2");
    }

    private record Closing<T>(T it, java.util.function.Consumer<T> end) implements AutoCloseable {
        @Override
        public void close() {
            end.accept(it);
        }
    }

    /** pwrite and pread get the address of the array itself, not of a copy. */
    private static void systemCalls(byte[] reference) throws Throwable {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        Linker.Option onHeap = Linker.Option.critical(true);
        MethodHandle pwrite = linker.downcallHandle(linker.defaultLookup().findOrThrow("pwrite"), type, onHeap);
        MethodHandle pread = linker.downcallHandle(linker.defaultLookup().findOrThrow("pread"), type, onHeap);
        Path file = Path.of("native-access.bin");
        int fd = open(linker, file.toAbsolutePath().toString());
        java.util.Arrays.fill(target, (byte) -1);
        Child.fullGc();
        transfer(pwrite, fd, source);
        Child.check(java.util.Arrays.equals(reference, Files.readAllBytes(file)), "what the kernel read from H2");
        transfer(pread, fd, target);
        Child.check(java.util.Arrays.equals(reference, target), "what the kernel wrote to H2");
        Files.delete(file);
    }

    private static int open(Linker linker, String path) throws Throwable {
        MethodHandle creat = linker.downcallHandle(linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT), Linker.Option.firstVariadicArg(2));
        try (Arena arena = Arena.ofConfined()) {
            int readWriteCreateTruncate = 2 | 0100 | 01000;
            int fd = (int) creat.invokeExact(arena.allocateFrom(path), readWriteCreateTruncate, 0600);
            Child.check(fd >= 0, "open " + path);
            return fd;
        }
    }

    /** Odd offsets and lengths, so that calls begin and end inside pages. */
    private static void transfer(MethodHandle call, int fd, byte[] array) throws Throwable {
        MemorySegment all = MemorySegment.ofArray(array);
        long step = 70_001;
        for (long at = 0; at < SIZE; at += step) {
            long n = Math.min(step, SIZE - at);
            long done = (long) call.invokeExact(fd, all.asSlice(at, n), n, at);
            Child.equal(n, done, "bytes transferred at " + at);
        }
    }
}
