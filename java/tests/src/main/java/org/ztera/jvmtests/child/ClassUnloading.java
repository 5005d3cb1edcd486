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

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.function.LongUnaryOperator;

/**
 * An object in H2 keeps its class, and so the class loader, alive while its region lives; when the region
 * has died the class is unloaded.
 */
public final class ClassUnloading {
    private static Object root;
    private static Node other;

    private ClassUnloading() {}

    public static void main(String[] args) {
        Child.main(ClassUnloading::test);
    }

    private static void test() throws Exception {
        instanceKeepsLoader();
        arrayKeepsLoader();
        hiddenClass();
        mirrorInH2Keeps();
        instanceBehindAnotherRegion();
        manyLoaders();
        oneOfManyDies();
    }

    private static void instanceKeepsLoader() throws Exception {
        WeakReference<?> loader = moveInstance(Plugins.loadPluginClass(), 1);
        Child.check(loader.get() == root.getClass().getClassLoader(), "the loader that is watched");
        keepsWorking(loader);
        root = null;
        unloads(loader);
    }

    private static WeakReference<?> moveInstance(Class<?> plugin, long label) {
        root = Child.move(Plugins.instance(plugin), label);
        // A hidden class has the application's loader, so the class itself is watched.
        return plugin.isHidden() ? new WeakReference<>(plugin) : new WeakReference<>(plugin.getClassLoader());
    }

    private static void keepsWorking(WeakReference<?> watched) {
        for (int i = 0; i < 3; i++) {
            Child.youngGcs(1);
            Child.fullGc();
            Child.check(!watched.refersTo(null), "loaded while an object in H2 needs it");
            LongUnaryOperator op = (LongUnaryOperator) (root instanceof Node n ? n.payload : root);
            Child.equal(Plugins.expected(i), op.applyAsLong(i), "the plugin's answer");
            Child.equal(Plugins.expected(i), Plugins.instance(op.getClass()).applyAsLong(i), "a new instance's answer");
        }
    }

    private static void unloads(WeakReference<?> watched) throws InterruptedException {
        Child.gcUntil(() -> watched.refersTo(null), 2, "the class is unloaded");
    }

    /** An array of the class without any instance: the array's class belongs to the loader, too. */
    private static void arrayKeepsLoader() throws Exception {
        WeakReference<?> loader = moveArray();
        for (int i = 0; i < 3; i++) {
            Child.fullGc();
            Child.check(!loader.refersTo(null), "loaded while an array in H2 needs it");
            Class<?> component = root.getClass().getComponentType();
            Array.set(root, i, Plugins.instance(component));
            Child.equal(Plugins.expected(9), ((LongUnaryOperator) Array.get(root, i)).applyAsLong(9), "element");
        }
        root = null;
        unloads(loader);
    }

    private static WeakReference<?> moveArray() {
        Class<?> plugin = Plugins.loadPluginClass();
        root = Child.move(Array.newInstance(plugin, 10), 2);
        return new WeakReference<>(plugin.getClassLoader());
    }

    private static void hiddenClass() throws Exception {
        WeakReference<?> hidden = moveInstance(Plugins.hiddenPluginClass(), 3);
        keepsWorking(hidden);
        root = null;
        unloads(hidden);
    }

    /** The mirror itself stays in H1, as the target of a backward reference. */
    private static void mirrorInH2Keeps() throws Exception {
        WeakReference<?> loader = moveMirror();
        for (int i = 0; i < 3; i++) {
            Child.fullGc();
            Class<?> plugin = (Class<?>) ((Node) root).payload;
            Child.inH1(plugin, "a class mirror");
            Child.equal(Plugins.expected(i), Plugins.instance(plugin).applyAsLong(i), "an instance's answer");
        }
        root = null;
        unloads(loader);
    }

    private static WeakReference<?> moveMirror() {
        Node node = new Node(0);
        Class<?> plugin = Plugins.loadPluginClass();
        node.payload = plugin;
        root = Child.move(node, 4);
        return new WeakReference<>(plugin.getClassLoader());
    }

    private static void instanceBehindAnotherRegion() throws Exception {
        WeakReference<?> loader = moveInstance(Plugins.loadPluginClass(), 5);
        other = new Node(1);
        other.payload = root;
        root = Child.move(other, 6);
        other = null;
        keepsWorking(loader);
        root = null;
        unloads(loader);
    }

    private static void manyLoaders() throws Exception {
        WeakReference<?>[] loaders = new WeakReference<?>[30];
        moveMany(loaders);
        Child.fullGcs(2);
        for (int i = 0; i < loaders.length; i++) {
            Child.check(!loaders[i].refersTo(null), "loader " + i + " is alive");
            Child.equal(Plugins.expected(i), ((LongUnaryOperator) ((Object[]) root)[i]).applyAsLong(i), "answer");
        }
        root = null;
        unloads(loaders[0]);
        for (int i = 0; i < loaders.length; i++) {
            Child.check(loaders[i].refersTo(null), "loader " + i + " is unloaded");
        }
        H2Stats.exactly(0, H2Stats.regionsUsed(), "regions");
    }

    /** A region keeps the loaders of all its objects, until a look through H2 finds which of them live. */
    private static void oneOfManyDies() throws Exception {
        WeakReference<?>[] loaders = new WeakReference<?>[30];
        moveMany(loaders);
        ((Object[]) root)[7] = null;
        unloads(loaders[7]);
        for (int round = 0; round < 3; round++) {
            Child.fullGc();
            for (int i = 0; i < loaders.length; i++) {
                if (i != 7) {
                    Child.check(!loaders[i].refersTo(null), "loader " + i + " is alive");
                    Child.equal(Plugins.expected(i), ((LongUnaryOperator) ((Object[]) root)[i]).applyAsLong(i), "answer");
                }
            }
        }
        root = null;
        unloads(loaders[0]);
    }

    private static void moveMany(WeakReference<?>[] loaders) {
        Object[] all = new Object[loaders.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = Plugins.instance(Plugins.loadPluginClass());
            loaders[i] = new WeakReference<>(all[i].getClass().getClassLoader());
        }
        root = Child.move(all, 7);
    }
}
