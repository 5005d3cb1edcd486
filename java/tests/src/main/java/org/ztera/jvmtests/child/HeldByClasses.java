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
import java.lang.invoke.MutableCallSite;
import java.lang.ref.WeakReference;
import java.util.Comparator;

/** What classes hold for as long as they live is of no group: one that refers to it dies all the same. */
public final class HeldByClasses {
    private enum Colour {
        RED
    }

    private static final Node NODE = new Node(1);
    private static final MethodHandle HANDLE = MethodHandles.constant(Node.class, new Node(2));
    private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(Node.class, new Node(3)));

    private static Object group;

    private HeldByClasses() {}

    public static void main(String[] args) {
        Child.main(HeldByClasses::test);
    }

    private static void test() throws Throwable {
        diesThough("an enum constant", Colour.RED);
        diesThough("a static field", NODE);
        diesThough("the string of a constant pool", "a literal");
        diesThough("a cached Integer", 7);
        diesThough("a lambda that captures nothing", descending());
        diesThough("a method reference", (Runnable) HeldByClasses::nothing);
        diesThough("what a method handle is bound to", (Node) HANDLE.invokeExact());
        diesThough("what the target of a call site is bound to", (Node) SITE.getTarget().invokeExact());
    }

    private static Comparator<Integer> descending() {
        return (a, b) -> b - a;
    }

    private static void nothing() {}

    private static void diesThough(String what, Object held) {
        group = new Object[] {held, new int[100]};
        Child.move(group, 1);
        WeakReference<Object> watch = new WeakReference<>(group);
        Child.fullGc();
        Child.check(watch.get() == group, "a group that is referred to died");
        group = null;
        Child.fullGc();
        Child.check(watch.get() == null, "a group lives on for " + what);
    }
}
