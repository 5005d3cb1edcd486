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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/** The rows of a matrix lie one behind the other, however many workers move them: who reads them reads on. */
public final class Locality {
    private static final int MATRICES = 20;
    private static final int ROWS = 2000;
    private static final int COLUMNS = 250;

    /** Where another worker goes on, once per 128 rows; and the last 128, which may be stolen one by one. */
    private static final int MOST_JUMPS = MATRICES * 200;

    private Locality() {}

    public static void main(String[] args) {
        Child.main(Locality::test);
    }

    private static void test() throws Throwable {
        int backwards = 0;
        for (int matrix = 0; matrix < MATRICES; matrix++) {
            backwards += backwards(addresses(Child.move(new long[ROWS][COLUMNS], 1)));
        }
        Child.check(!Child.h2() || backwards <= MOST_JUMPS, backwards + " rows lie in front of the row before");
    }

    private static int backwards(long[] addresses) {
        int count = 0;
        for (int i = 1; i < addresses.length; i++) {
            if (addresses[i] < addresses[i - 1]) {
                count++;
            }
        }
        return count;
    }

    /** Of the elements, in whatever unit references are in. */
    private static long[] addresses(Object[] array) throws Throwable {
        // By handles, as the compiler warns of each mention of the class.
        Class<?> c = Class.forName("sun.misc.Unsafe");
        Field field = c.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodType ofClass = MethodType.methodType(int.class, Class.class);
        int base = (int) lookup.findVirtual(c, "arrayBaseOffset", ofClass).bindTo(unsafe).invokeExact((Class<?>) array.getClass());
        int scale = (int) lookup.findVirtual(c, "arrayIndexScale", ofClass).bindTo(unsafe).invokeExact((Class<?>) array.getClass());
        boolean narrow = scale == Integer.BYTES;
        MethodType read = MethodType.methodType(narrow ? int.class : long.class, Object.class, long.class);
        MethodHandle get = lookup.findVirtual(c, narrow ? "getInt" : "getLong", read).bindTo(unsafe);
        long[] addresses = new long[array.length];
        for (int i = 0; i < array.length; i++) {
            addresses[i] = ((Number) get.invoke(array, base + (long) i * scale)).longValue() & (narrow ? 0xFFFFFFFFL : -1L);
        }
        return addresses;
    }
}
