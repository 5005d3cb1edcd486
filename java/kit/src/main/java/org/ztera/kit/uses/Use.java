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

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The kinds of use, each with a count: a run that leaves one out is no test of it. */
public enum Use {
    /** In pieces, by the JDK's native zlib. */
    ZLIB(Zlib::copy),
    /** A channel of a file, with heap buffers. */
    FILE_CHANNEL(Files::byChannel),
    /** Reads and writes of arrays without a buffer. */
    RANDOM_ACCESS_FILE(Files::byRandomAccess),
    /** Channels of sockets that do not wait, with heap buffers. */
    SOCKET_CHANNEL(Channels::bySocket),
    PIPE(Channels::byPipe),
    /** Bulk copies out of an array and into one. */
    DIRECT_BUFFER(Use::byDirectBuffer),
    /** A function of the C library gets both arrays as heap segments. */
    HEAP_SEGMENT(HeapSegments::move),
    /** The same, but the kernel reads and writes them. */
    SYSTEM_CALL(HeapSegments::byKernel),
    /** Two critical sections of JNI at once. */
    CRITICAL(JniArrays::critical),
    /** Two critical sections of JNI, during which the kernel reads and writes. */
    CRITICAL_SYSTEM_CALL(JniArrays::byKernel),
    /** GetByteArrayElements. */
    ELEMENTS(JniArrays::elements),
    /** GetByteArrayRegion, SetByteArrayRegion. */
    REGION(JniArrays::region),
    /** The owner of a direct buffer dies. */
    DEAD_OWNER(null),
    /** The key of a weak map, of which references and a cleaner wait, dies. */
    DEAD_KEY(null),
    /** A thread of native code that blocks SIGBUS runs Java code. */
    STRANGE_THREAD(null),
    /** Native code meets faults of its own, after it has taken SIGBUS and SIGSEGV. */
    STRANGE_FAULT(null);

    /** Copies the first bytes of one array to the start of another, which may be the same. */
    @FunctionalInterface
    interface Copy {
        void copy(byte[] from, byte[] into, int length) throws Exception;
    }

    private final Copy way;
    private final LongAdder times = new LongAdder();
    private final LongAdder old = new LongAdder();

    Use(Copy way) {
        this.way = way;
    }

    /** Those by which native code copies from array to array. */
    public static List<Use> copies() {
        return Arrays.stream(values()).filter(use -> use.way != null).toList();
    }

    /** A function of C gets the addresses of arrays. From the first on, threads of the engine serve faults of H2. */
    public boolean isDowncall() {
        return this == HEAP_SEGMENT || this == SYSTEM_CALL;
    }

    private static void byDirectBuffer(byte[] from, byte[] into, int length) {
        ByteBuffer memory = ByteBuffer.allocateDirect(length);
        memory.put(0, from, 0, length);
        memory.get(0, into, 0, length);
    }

    /** Copies in this way, and fails if a byte is wrong. */
    public void copy(byte[] from, byte[] into, int length) throws Exception {
        byte[] wanted = Arrays.copyOf(from, length);
        byte[] rest = Arrays.copyOfRange(into, length, into.length);
        way.copy(from, into, length);
        verify(this, from, into, length, wanted, rest);
    }

    static void verify(Use use, byte[] from, byte[] into, int length, byte[] wanted, byte[] rest) {
        use.check(Arrays.equals(wanted, 0, length, from, 0, length), "has changed what it read");
        use.check(Arrays.equals(wanted, 0, length, into, 0, length), "has copied other bytes");
        use.check(Arrays.equals(rest, 0, rest.length, into, length, into.length), "has changed what was behind");
        Checksums.check(into, length, wanted);
    }

    /** Notes that the use was made; of an old object, or not. */
    public void done(boolean ofOld) {
        times.increment();
        if (ofOld) {
            old.increment();
        }
    }

    /** How often it was made. */
    public long times() {
        return times.sum();
    }

    /** How often it was made of an old object. */
    public long timesOfOld() {
        return old.sum();
    }

    void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(this + " " + what);
        }
    }
}
