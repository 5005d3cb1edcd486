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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.ztera.H2;

/**
 * A critical section on an array or a string in H2 has a copy, of which what native code changed is written back as the
 * mode says, and nothing else. The first argument is the path of the agent (see {@link NativeHeap}).
 */
public final class CriticalCopies {
    private static final int COMMIT = 1;
    private static final int ABORT = 2;
    private static final int LENGTH = 100_003;

    private static byte[] bytes;
    private static Object[] arrays;
    private static String text;

    private CriticalCopies() {}

    public static void main(String[] args) {
        System.load(args[0]);
        Child.main(CriticalCopies::test);
    }

    private static void test() throws Exception {
        bytes = Child.move(Graphs.bytes(LENGTH, 5), 1);
        Child.check(!Child.h2() || NativeHeap.criticalIsCopy(bytes), "an array in H2 is copied");
        Child.check(!NativeHeap.criticalIsCopy(new byte[10]), "an array in H1 is not");
        Child.check(!Child.h2() || NativeHeap.criticalIsCopy(Child.move(new byte[0], 2)), "an empty one in H2 is copied, too");
        Graphs.checkBytes(bytes, 5, "after a section that changed nothing");
        modes();
        everyType();
        nested();
        strings();
        twoThreads();
        collections();
    }

    private static void modes() {
        byte old = bytes[17];
        NativeHeap.criticalWrite(bytes, 17, (byte) (old + 1), ABORT);
        Child.equal(Child.h2() ? old : (byte) (old + 1), bytes[17], "written and given up");
        bytes[17] = old;
        NativeHeap.criticalWrite(bytes, 17, (byte) (old + 2), 0);
        Child.equal((byte) (old + 2), bytes[17], "written");
        NativeHeap.criticalWrite(bytes, 17, old, 0);
        Graphs.checkBytes(bytes, 5, "written there and back");
        if (Child.h2() && !NativeHeap.isChecked()) {
            NativeHeap.criticalWriteTwice(bytes, 17, (byte) (old + 3), (byte) (old + 4));
            Child.equal((byte) (old + 3), bytes[17], "written and committed, then written and given up");
            bytes[17] = old;
        }
        NativeHeap.criticalWrite(bytes, 17, (byte) (old + 5), COMMIT);
        Child.equal((byte) (old + 5), bytes[17], "written and committed");
        bytes[17] = old;
    }

    private static void everyType() {
        arrays = Child.move(new Object[] {new boolean[33], new byte[33], new char[33], new short[33], new int[33], new float[33],
            new long[33], new double[33]}, 3);
        for (Object array : arrays) {
            Child.inH2(array, "an array of primitives");
            NativeHeap.criticalFillAny(array, (byte) 1);
        }
        for (int i = 0; i < 33; i++) {
            Child.check(((boolean[]) arrays[0])[i], "boolean");
            Child.equal((byte) 1, ((byte[]) arrays[1])[i], "byte");
            Child.equal((char) 0x0101, ((char[]) arrays[2])[i], "char");
            Child.equal((short) 0x0101, ((short[]) arrays[3])[i], "short");
            Child.equal(0x01010101, ((int[]) arrays[4])[i], "int");
            Child.equal(0x01010101, Float.floatToRawIntBits(((float[]) arrays[5])[i]), "float");
            Child.equal(0x0101010101010101L, ((long[]) arrays[6])[i], "long");
            Child.equal(0x0101010101010101L, Double.doubleToRawLongBits(((double[]) arrays[7])[i]), "double");
        }
    }

    private static void nested() {
        byte[] inH1 = Graphs.bytes(LENGTH, 6);
        Child.check(NativeHeap.criticalNested(inH1, bytes), "one in H1, and one in H2 within");
        Child.check(NativeHeap.criticalNested(bytes, inH1), "one in H2, and one in H1 within");
        Child.check(NativeHeap.criticalNested(bytes, bytes), "the same in H2");
        Child.fullGc();
        Graphs.checkBytes(bytes, 5, "in H2");
        Graphs.checkBytes(inH1, 6, "in H1");
    }

    private static void strings() {
        text = Child.move(new StringBuilder().repeat("\u20ac\u4e2dx", 1000).toString(), 4);
        Child.equal(3000L, NativeHeap.stringLength(text), "characters of a string in H2");
        String latin = Child.move(new StringBuilder().repeat("abc", 1000).toString(), 5);
        Child.equal(3000L, NativeHeap.stringLength(latin), "characters of a compact string in H2");
    }

    /** A write of another thread meanwhile, to another part, is not lost. */
    private static void twoThreads() throws Exception {
        Executor threads = task -> Thread.ofPlatform().start(task);
        byte old = bytes[3];
        var holder = CompletableFuture.runAsync(() -> NativeHeap.criticalHoldAndWrite(bytes, 1, (byte) 77), threads);
        Child.await(NativeHeap::criticalHeld, "somebody is in a critical section");
        bytes[3] = (byte) (old + 1);
        NativeHeap.criticalRelease();
        holder.join();
        Child.equal((byte) 77, bytes[1], "written in the section");
        Child.equal((byte) (old + 1), bytes[3], "written beside it");
    }

    /** Collections need not wait, and the array may return to H1 meanwhile. */
    private static void collections() throws Exception {
        if (!Child.h2()) {
            return;
        }
        Executor threads = task -> Thread.ofPlatform().start(task);
        var holder = CompletableFuture.runAsync(() -> NativeHeap.criticalHoldAndWrite(bytes, 2, (byte) 78), threads);
        Child.await(NativeHeap::criticalHeld, "somebody is in a critical section");
        Child.fullGc();
        Jcmd.run("gcH2Return", "1");
        Child.inH1(bytes, "the array, which was asked back");
        NativeHeap.criticalRelease();
        holder.join();
        Child.equal((byte) 78, bytes[2], "written in the section");
        H2.moveNow(1);
    }
}
