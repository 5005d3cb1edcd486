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
import java.lang.invoke.MethodHandles;
import java.util.function.LongUnaryOperator;

/** Classes that can be unloaded: copies of {@link Plugin}, each of a loader of its own or hidden. */
public final class Plugins {
    private Plugins() {}

    /** The interface through which a copy of the plugin class is used. */
    public static class Plugin implements LongUnaryOperator {
        /** A constant of the class itself. */
        static final Object TOKEN = new Plugin();

        private static Object state = new Node(100);

        private final long factor;
        private final Node data;

        /** With a factor of 3 and a list for data. */
        public Plugin() {
            this.factor = 3;
            this.data = Graphs.list(5, 1);
        }

        @Override
        public long applyAsLong(long x) {
            return x * factor + Graphs.sum(data) + ((Node) state).value;
        }
    }

    /** The result of {@link Plugin#applyAsLong}. */
    public static long expected(long x) {
        return x * 3 + 15 + 100;
    }

    /** Defines the plugin class itself and leaves all else to the application's loader. */
    public static final class Loader extends ClassLoader {
        /** A loader that has defined nothing yet. */
        public Loader() {
            super(Plugins.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.equals(Plugin.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) {
            byte[] bytes = pluginBytes();
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** A new copy of the plugin class, in a new loader. */
    public static Class<?> loadPluginClass() {
        try {
            return new Loader().loadClass(Plugin.class.getName());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** A new hidden copy of the plugin class, which lives only as long as its instances. */
    public static Class<?> hiddenPluginClass() {
        try {
            return MethodHandles.lookup().defineHiddenClass(pluginBytes(), true).lookupClass();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** A new object of a plugin class. */
    public static LongUnaryOperator instance(Class<?> pluginClass) {
        try {
            return (LongUnaryOperator) pluginClass.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] pluginBytes() {
        String resource = "/" + Plugin.class.getName().replace('.', '/') + ".class";
        try (InputStream in = Plugins.class.getResourceAsStream(resource)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
