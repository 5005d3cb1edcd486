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

/**
 * JVMTI gives agents the addresses of arrays and of strings that it finds in the heap, and agents may give those to
 * system calls. The arguments are the path of the agent (see {@link NativeHeap}) and what is moved, "array" or
 * "string".
 */
public final class JvmtiValues {
    private JvmtiValues() {}

    public static void main(String[] args) {
        System.load(args[0]);
        Child.main(() -> test(args[1]));
    }

    private static void test(String kind) {
        // Each of a kind by itself: the first has handlers serve, and then the kernel can read all.
        Object value = switch (kind) {
            case "array" -> Child.move(Graphs.bytes(2_000_000, 9), 7);
            case "string" -> Child.move("\u4e2d\u6587 ".repeat(100_000), 7);
            default -> throw new IllegalArgumentException(kind);
        };
        NativeHeap.setTag(value, 1);
        long size = value instanceof byte[] bytes ? bytes.length : 2L * ((String) value).length();
        Child.equal(size, NativeHeap.writtenValues(), "bytes that the kernel read in a heap callback");
    }
}
