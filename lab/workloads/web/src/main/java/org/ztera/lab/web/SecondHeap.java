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
package org.ztera.lab.web;

import java.lang.reflect.Method;
import java.util.List;

/** ZTera's second heap, where {@code org.ztera.H2} is on the class path and the JVM has one. */
final class SecondHeap {
    private SecondHeap() {
    }

    /** Moves all that these objects reach, one label each. Returns whether there is a second heap for them. */
    static boolean take(List<Object> roots) {
        try {
            Class<?> heap = heap();
            for (int label = 1; heap != null && label <= roots.size(); label++) {
                heap.getMethod("tag", Object.class, long.class).invoke(null, roots.get(label - 1), label);
                heap.getMethod(label < roots.size() ? "move" : "moveNow", long.class).invoke(null, label);
            }
            return heap != null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its bytes, as JSON: of objects in it, and read from and written to the SSD so far. */
    static String statistics() throws ReflectiveOperationException {
        Class<?> heap = heap();
        if (heap == null) {
            return "{\"used\":0,\"ssd_read\":0,\"ssd_written\":0}";
        }
        Object all = heap.getMethod("stats").invoke(null);
        return "{\"used\":%s,\"ssd_read\":%s,\"ssd_written\":%s}"
                .formatted(value(all, "usedBytes"), value(all, "ssdReadBytes"), value(all, "ssdWriteBytes"));
    }

    private static Object value(Object statistics, String name) throws ReflectiveOperationException {
        Method accessor = statistics.getClass().getMethod(name);
        return accessor.invoke(statistics);
    }

    /** Null if there is none. */
    private static Class<?> heap() throws ReflectiveOperationException {
        try {
            Class<?> heap = Class.forName("org.ztera.H2");
            return heap.getMethod("isEnabled").invoke(null).equals(true) ? heap : null;
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
