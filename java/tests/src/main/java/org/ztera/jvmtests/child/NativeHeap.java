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

/** The functions of the native agent (src/test/native/heapagent.c): JVMTI's heap functions and JNI references. */
public final class NativeHeap {
    private NativeHeap() {}

    /** Objects of a class, by IterateThroughHeap. */
    public static native long iterate(Class<?> c);

    /** Objects of a class reachable from the roots, by FollowReferences. */
    public static native long follow(Class<?> c);

    /** Objects of a class reachable from an object, by FollowReferences. */
    public static native long followFrom(Object start, Class<?> c);

    /** Sum over all int fields of all objects of a class, by IterateThroughHeap's field callback. */
    public static native long intFieldSum(Class<?> c);

    /** Bytes of tagged arrays and strings that a system call could read in their callbacks, by IterateThroughHeap. */
    public static native long writtenValues();

    /** Sets a JVMTI tag; 0 removes it. */
    public static native void setTag(Object o, long tag);

    /** The JVMTI tag, 0 for none. */
    public static native long getTag(Object o);

    /** The objects that have one of the tags. */
    public static native Object[] objectsWithTags(long[] tags);

    /** ObjectFree events so far. */
    public static native long freedTags();

    /** Keeps the object in a global reference; null deletes it. */
    public static native void holdGlobal(Object o);

    /** Keeps the object in a weak global reference. */
    public static native void holdWeakGlobal(Object o);

    /** The object of the global reference. */
    public static native Object global();

    /** The object of the weak global reference, null if it was cleared. */
    public static native Object weakGlobal();

    /** Sum of the bytes, in a critical section. */
    public static native long criticalSum(byte[] bytes);

    /** Overwrites the bytes, in a critical section. */
    public static native void criticalFill(byte[] bytes, byte value);

    /** Has the kernel read one array and write another, each in a critical section. */
    public static native boolean criticalCopy(byte[] from, byte[] to);

    /** Whether a critical section has a copy of the array. */
    public static native boolean criticalIsCopy(byte[] bytes);

    /** Overwrites one byte in a critical section, which ends with a mode of JNI. */
    public static native void criticalWrite(byte[] bytes, int at, byte value, int mode);

    /** Overwrites all bytes of a primitive array of any type, in a critical section. */
    public static native void criticalFillAny(Object array, byte value);

    /** Adds up both within a critical section on both, and each again by itself: whether the sums are the same. */
    public static native boolean criticalNested(byte[] outer, byte[] inner);

    /** Writes a byte by a section on one array: whether a section on the other, which began before, sees it. */
    public static native boolean criticalSeesItself(byte[] first, byte[] second, int at, byte value);

    /** Adds 1 to each element of the array, in a section that ends in a way that JNI does not allow. */
    public static native void criticalSloppy(byte[] array, byte[] other, int kind);

    /** As {@link #criticalHold}; overwrites a byte at the end. */
    public static native void criticalHoldAndWrite(byte[] bytes, int at, byte value);

    /** Whether the VM checks what is given to JNI. */
    public static boolean isChecked() {
        return java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-Xcheck:jni");
    }

    /** Stays in a critical section, for which collections wait, until {@link #criticalRelease}. */
    public static native void criticalHold(byte[] bytes);

    /** Whether a thread is there now. */
    public static native boolean criticalHeld();

    /** Lets it go on. */
    public static native void criticalRelease();

    /** Length of the string up to the end, counted in a critical section. */
    public static native long stringLength(String s);
}
