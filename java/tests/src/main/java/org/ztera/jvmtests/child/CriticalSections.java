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
 * A critical section on an array or a string in H2 has the address itself, as it has in H1: what native code changes
 * is changed at once, whatever the section ends with, and collections wait. The first argument is the path of the
 * agent (see {@link NativeHeap}).
 */
public final class CriticalSections {
    private static final int COMMIT = 1;
    private static final int ABORT = 2;
    private static final int LENGTH = 100_003;
    /** Of native code that breaks the rules; see the agent. */
    private static final int SLOPPY_KINDS = 6;

    private static byte[] bytes;
    private static byte[] others;
    private static Object[] arrays;
    private static String text;

    private CriticalSections() {}

    public static void main(String[] args) {
        System.load(args[0]);
        Child.main(CriticalSections::test);
    }

    private static void test() throws Exception {
        bytes = Child.move(Graphs.bytes(LENGTH, 5), 1);
        others = Child.move(Graphs.bytes(LENGTH, 7), 6);
        Child.check(!NativeHeap.criticalIsCopy(bytes), "an array in H2 is not copied");
        Child.check(!NativeHeap.criticalIsCopy(Child.move(new byte[0], 2)), "an empty one is not, either");
        Graphs.checkBytes(bytes, 5, "after a section that changed nothing");
        modes();
        everyType();
        nested();
        strings();
        // On any JVM, -Xcheck:jni hands out copies, and writes all of a copy back.
        if (!NativeHeap.isChecked()) {
            twoThreads();
            oneArrayTwice();
            sloppy();
        }
        collections();
    }

    private static void modes() {
        byte old = bytes[17];
        NativeHeap.criticalWrite(bytes, 17, (byte) (old + 1), ABORT);
        Child.equal(NativeHeap.isChecked() ? old : (byte) (old + 1), bytes[17], "written and given up");
        bytes[17] = old;
        NativeHeap.criticalWrite(bytes, 17, (byte) (old + 2), 0);
        Child.equal((byte) (old + 2), bytes[17], "written");
        NativeHeap.criticalWrite(bytes, 17, old, 0);
        Graphs.checkBytes(bytes, 5, "written there and back");
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

    // Bug: native code that was given one array for two arguments saw two copies, and lost what it wrote to one of
    // them.
    private static void oneArrayTwice() {
        byte old = bytes[40];
        Child.check(NativeHeap.criticalSeesItself(bytes, bytes, 40, (byte) (old + 1)), "one array for two arguments");
        Child.equal((byte) (old + 1), bytes[40], "written by one of the two");
        bytes[40] = old;
    }

    // Bug: the end of a section took the pointer for that of its copy, so that other objects were overwritten, or the
    // VM died.
    private static void sloppy() {
        byte[] small = new byte[16];
        for (byte[] other : new byte[][] {small, others}) {
            for (int kind = 0; kind < SLOPPY_KINDS; kind++) {
                byte[] before = bytes.clone();
                NativeHeap.criticalSloppy(bytes, other, kind);
                for (int i = 0; i < LENGTH; i++) {
                    Child.equal((byte) (before[i] + 1), bytes[i], "element " + i + " after sloppy code of kind " + kind);
                }
                Graphs.checkBytes(others, 7, "another array after sloppy code of kind " + kind);
                Child.fullGc();
            }
        }
        System.arraycopy(Graphs.bytes(LENGTH, 5), 0, bytes, 0, LENGTH);
    }

    private static void strings() {
        text = Child.move(new StringBuilder().repeat("\u20ac\u4e2dx", 1000).toString(), 4);
        Child.equal(3000L, NativeHeap.stringLength(text), "characters of a string in H2");
        String latin = Child.move(new StringBuilder().repeat("abc", 1000).toString(), 5);
        Child.equal(3000L, NativeHeap.stringLength(latin), "characters of a compact string in H2");
    }

    /** A write of another thread meanwhile, to another part, is not lost. */
    private static void twoThreads() throws Exception {
        byte old = bytes[3];
        var holder = holdAndWrite(1, (byte) 77);
        bytes[3] = (byte) (old + 1);
        NativeHeap.criticalRelease();
        holder.join();
        Child.equal((byte) 77, bytes[1], "written in the section");
        Child.equal((byte) (old + 1), bytes[3], "written beside it");
    }

    /** A collection that would have the array return has to wait. */
    private static void collections() throws Exception {
        var holder = holdAndWrite(2, (byte) 78);
        var collection = run(Child.h2() ? () -> Jcmd.run("gcH2Return", "1") : Child::fullGc);
        Thread.sleep(100);
        Child.check(!collection.isDone(), "the collection waits");
        Child.inH2(bytes, "the array");
        NativeHeap.criticalRelease();
        CompletableFuture.allOf(holder, collection).join();
        Child.inH1(bytes, "the array, which was asked back");
        Child.equal((byte) 78, bytes[2], "written in the section");
        H2.moveNow(1);
    }

    private static CompletableFuture<Void> holdAndWrite(int at, byte value) throws InterruptedException {
        var holder = run(() -> NativeHeap.criticalHoldAndWrite(bytes, at, value));
        Child.await(NativeHeap::criticalHeld, "somebody is in a critical section");
        return holder;
    }

    private static CompletableFuture<Void> run(Runnable task) {
        Executor threads = body -> Thread.ofPlatform().start(body);
        return CompletableFuture.runAsync(task, threads);
    }
}
