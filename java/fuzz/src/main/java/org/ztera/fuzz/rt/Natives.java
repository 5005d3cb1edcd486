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
package org.ztera.fuzz.rt;

/** JNI functions by which native code holds and reads objects; {@code fuzz.c} among the resources has the bodies. */
public final class Natives {
    /** A weak global reference, and the name of the cell it was made for. */
    record Weak(long handle, int uid) {}

    private Natives() {}

    /** @param library what the driver compiled */
    static void load(String library) {
        System.load(library);
    }

    /** Takes the elements out of the array into local references, calls the code, and puts them back. */
    public static native void holdLocally(Object[] array, Runnable code);

    /** A global reference. */
    public static native long newGlobal(Object o);

    /** The referent; the reference is deleted. */
    public static native Object takeGlobal(long handle);

    static native long newWeak(Object o);

    static native Object get(long weak);

    static native void deleteWeak(long weak);

    /** Adds to each element, by GetPrimitiveArrayCritical; returns their sum. */
    public static native long addCritically(int[] array, int delta);

    /** The same, in two sections at once, while the kernel reads and writes the array. */
    public static native long addByKernel(int[] array, int delta);

    /** The same by GetIntArrayRegion and SetIntArrayRegion. */
    public static native long addByRegion(int[] array, int delta);

    /** A hash over the characters, by GetStringCritical. */
    public static native long hashCritically(String s);

    /** {@link #addCritically}, while another thread that has called {@link #awaitCritical} asks for a collection. */
    static native long addWhileHeld(int[] array, int delta);

    /** {@link #hashCritically}, in the same way. */
    static native long hashWhileHeld(String s);

    /**
     * Returns when {@link #addWhileHeld} or {@link #hashWhileHeld} is in its critical section, which lasts a little
     * longer.
     */
    static native void awaitCritical();

    /** A string with the same characters, by GetStringChars and NewString. */
    public static native String copyOf(String s);

    /** The array in reverse order, by GetObjectArrayElement and SetObjectArrayElement. */
    public static native void reverse(Object[] array);

    /** Runs the code with the object's monitor held, by MonitorEnter. */
    public static native void locked(Object o, Runnable code);

    /** IsSameObject on local and global references. */
    public static native boolean same(Object a, Object b);
}
