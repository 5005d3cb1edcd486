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
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.function.LongUnaryOperator;

/**
 * Reflective objects and method handles that moved go on working, also those the VM itself knows: a call
 * site in H2 whose target changes must still undo the code compiled for the old one.
 */
public final class Reflection {
    private static final MutableCallSite SITE = new MutableCallSite(MethodType.methodType(long.class, long.class));
    private static final MethodHandle INVOKER = SITE.dynamicInvoker();

    private static Object[] group;

    private Reflection() {}

    public static void main(String[] args) {
        Child.main(Reflection::test);
    }

    /** Target of the method handle. */
    public static long twice(long x) {
        return 2 * x;
    }

    /** Another target. */
    public static long thrice(long x) {
        return 3 * x;
    }

    private static void test() throws Throwable {
        SITE.setTarget(handle("twice"));
        Child.equal(20L, hot(), "call site before the move");
        Object proxy = Proxy.newProxyInstance(Reflection.class.getClassLoader(),
                new Class<?>[] {LongUnaryOperator.class}, (p, m, a) -> (Long) a[0] + 1);
        group = new Object[] {
            Reflection.class.getMethod("twice", long.class),
            Node.class.getField("value"),
            handle("twice"),
            MethodHandles.insertArguments(handle("thrice"), 0, 7L),
            proxy,
            SITE,
            MethodType.methodType(Node.class, Reflection.class, Strings.class),
            MethodHandleProxies.asInterfaceInstance(LongUnaryOperator.class, handle("thrice")),
            Comparator.comparingLong((Node n) -> n.value).reversed(),
            new Node(5),
        };
        Child.move(group, 1);
        Child.inH2(group[0], "a Method");
        for (int i = 0; i < 3; i++) {
            use();
            changeTarget();
            Child.youngGcs(1);
            Child.fullGc();
        }
    }

    private static MethodHandle handle(String name) throws ReflectiveOperationException {
        return MethodHandles.lookup().findStatic(Reflection.class, name,
                MethodType.methodType(long.class, long.class));
    }

    private static void use() throws Throwable {
        Child.equal(8L, ((Method) group[0]).invoke(null, 4L), "Method");
        ((Field) group[1]).setLong(group[9], 6);
        Child.equal(6L, ((Field) group[1]).getLong(group[9]), "Field");
        Child.equal(10L, (long) ((MethodHandle) group[2]).invokeExact(5L), "method handle");
        Child.equal(21L, (long) ((MethodHandle) group[3]).invokeExact(), "bound method handle");
        Child.equal(6L, ((LongUnaryOperator) group[4]).applyAsLong(5), "proxy");
        Child.check(group[6] == MethodType.methodType(Node.class, Reflection.class, Strings.class),
                "a method type is one object");
        Child.equal(15L, ((LongUnaryOperator) group[7]).applyAsLong(5), "interface of a method handle");
        @SuppressWarnings("unchecked")
        Comparator<Node> c = (Comparator<Node>) group[8];
        Child.check(c.compare(new Node(1), new Node(2)) > 0, "comparator");
    }

    private static void changeTarget() throws Throwable {
        SITE.setTarget(handle("thrice"));
        Child.equal(30L, hot(), "call site with the new target");
        SITE.setTarget(handle("twice"));
        Child.equal(20L, hot(), "call site with the old target again");
    }

    /** Often enough that the call site's target is compiled in. */
    private static long hot() throws Throwable {
        long last = 0;
        for (int i = 0; i < 60_000; i++) {
            last = (long) INVOKER.invokeExact(10L);
        }
        return last;
    }
}
