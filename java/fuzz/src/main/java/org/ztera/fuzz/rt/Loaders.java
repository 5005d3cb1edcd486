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

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;

/**
 * Classes that come and go. A program contains a class that implements {@link Plugin}; here it is defined again and
 * again from the same bytes, each time for one object.
 */
public final class Loaders {
    private Loaders() {}

    private static final class Once extends ClassLoader {
        Once(ClassLoader parent) {
            super(parent);
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** An object of a copy of the class in a loader of its own. */
    public static Plugin loaded(Class<?> template) throws ReflectiveOperationException {
        return make(new Once(template.getClassLoader()).define(template.getName(), bytes(template)));
    }

    /** An object of a hidden copy of the class, which dies with its last object. */
    public static Plugin hidden(MethodHandles.Lookup lookup, Class<?> template) throws ReflectiveOperationException {
        return make(lookup.defineHiddenClass(bytes(template), true).lookupClass());
    }

    private static Plugin make(Class<?> c) throws ReflectiveOperationException {
        var constructor = c.getDeclaredConstructor();
        constructor.setAccessible(true);
        return (Plugin) constructor.newInstance();
    }

    private static byte[] bytes(Class<?> c) {
        String file = c.getName().substring(c.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = c.getResourceAsStream(file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
