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

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Objects that classes and the VM hold for as long as they live are of no group: one that refers to it dies all the
 * same, also when it was referred to from there for a while; and nothing that may die one day is where constants are.
 */
public final class HeldByClasses {
    private enum Colour {
        RED
    }

    private static final Node NODE = new Node(1);
    private static final MethodHandle HANDLE = MethodHandles.constant(Node.class, new Node(2));
    private static final AtomicReference<Object> HOLDER = new AtomicReference<>();
    private static final AtomicReference<Node> CELL = new AtomicReference<>(new Node(5));
    private static final List<Object> GROUPS = new CopyOnWriteArrayList<>();
    private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(Node.class, new Node(3)));

    private static Object group;
    private static Node replaced;

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
        diesThough("the VM's empty Class[]", Object.class.getMethod("hashCode").getExceptionTypes());
        group = new Object[] {new String("a literal that is copied"), new int[100]};
        groupDiesThough("a literal whose value a copy has");
        diesThough("a ZoneOffset, which a map has", ZoneOffset.ofHours(5));
        diesThough("a ZoneOffset, which an atomic array has", ZoneOffset.ofHoursMinutes(9, 45));
        diesThough("the rules of a time zone", ZoneId.of("Europe/Paris").getRules());
        diesThough("a currency", Currency.getInstance("EUR"));
        System.setProperty("ztera.held", String.valueOf(System.nanoTime()));
        diesThough("a system property", System.getProperty("ztera.held"));
        group = literalsOfTheJdk();
        groupDiesThough("strings of the VM's archive");
        diesOnceReplaced();
        loaderOfConstantUnloads();
        replacedValuesDie();
        valuesOfConstantsDie();
        snapshotsOfConstantsKeepNothing();
    }

    /** The JDK's archive has the literals of all classes in it; of most of these nothing is loaded. */
    private static Object[] literalsOfTheJdk() throws IOException {
        List<Object> literals = new ArrayList<>();
        for (String name : List.of("Calendar", "Currency", "Formatter", "Locale", "Scanner", "TimeZone", "regex/Pattern", "jar/Manifest")) {
            try (InputStream file = Object.class.getResourceAsStream("/java/util/" + name + ".class")) {
                for (PoolEntry entry : ClassFile.of().parse(file.readAllBytes()).constantPool()) {
                    if (entry instanceof StringEntry literal) {
                        literals.add(new String(literal.stringValue()).intern());
                    }
                }
            }
        }
        return literals.toArray();
    }

    /** A constant that refers to a group for a while: when it moves, or only later. */
    private static void diesOnceReplaced() {
        for (int i = 0; i < 3; i++) {
            Object[] members = {HOLDER, "a literal", new int[100]};
            HOLDER.set(members);
            WeakReference<Object> watch = new WeakReference<>(Child.move(members, 2));
            members = null;
            Child.youngGcs(1);
            Child.fullGcs(2);
            Child.check(watch.get() == HOLDER.get(), "a group that a constant refers to died");
            HOLDER.set(null);
            Child.fullGcs(2);
            Child.check(watch.get() == null, "a group that a constant referred to lives on, round " + i);
        }
    }

    private static void loaderOfConstantUnloads() throws InterruptedException {
        WeakReference<ClassLoader> loader = moveTokenOfPlugin();
        Child.fullGcs(2);
        Child.check(loader.get() != null, "the loader of what is in H2 died");
        group = null;
        Child.gcUntil(() -> loader.refersTo(null), 2, "the class is unloaded");
    }

    /** With something that stays in H2 for good. */
    private static WeakReference<ClassLoader> moveTokenOfPlugin() {
        Object plugin = Plugins.instance(Plugins.loadPluginClass());
        group = Child.move(new Object[] {plugin, tokenOf(plugin), Colour.RED}, 3);
        return new WeakReference<>(plugin.getClass().getClassLoader());
    }

    private static Object tokenOf(Object plugin) {
        try {
            Field token = plugin.getClass().getDeclaredField("TOKEN");
            token.setAccessible(true);
            return token.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** The referent of a field that is not final when a group moved dies like anything else. */
    private static void replacedValuesDie() {
        replaced = new Node(4);
        WeakReference<Node> watch = new WeakReference<>(replaced);
        group = Child.move(new Object[] {replaced, Colour.RED}, 4);
        group = null;
        replaced = null;
        Child.fullGcs(2);
        Child.check(watch.get() == null, "what a static field referred to lives on");
    }

    /** The referent of a constant when a group moved dies, too, however small it is. */
    private static void valuesOfConstantsDie() {
        WeakReference<Node> watch = new WeakReference<>(CELL.get());
        group = Child.move(new Object[] {CELL, Colour.RED}, 5);
        group = null;
        CELL.set(null);
        Child.fullGcs(2);
        Child.check(watch.get() == null, "what a constant referred to lives on");
    }

    /** The list has another array after each change. */
    private static void snapshotsOfConstantsKeepNothing() {
        Object[] members = {GROUPS, new int[100]};
        GROUPS.add(members);
        WeakReference<Object> watch = new WeakReference<>(Child.move(members, 6));
        members = null;
        Child.fullGcs(2);
        Child.check(watch.get() == GROUPS.getFirst(), "a group that a list refers to died");
        GROUPS.clear();
        Child.fullGcs(2);
        Child.check(watch.get() == null, "a group lives on for a list that it was in");
    }

    private static Comparator<Integer> descending() {
        return (a, b) -> b - a;
    }

    private static void nothing() {}

    private static void diesThough(String what, Object held) {
        group = new Object[] {held, new int[100]};
        groupDiesThough(what);
    }

    private static void groupDiesThough(String what) {
        Child.move(group, 1);
        WeakReference<Object> watch = new WeakReference<>(group);
        Child.fullGc();
        Child.check(watch.get() == group, "a group that is referred to died");
        group = null;
        Child.fullGc();
        Child.check(watch.get() == null, "a group lives on for " + what);
    }
}
