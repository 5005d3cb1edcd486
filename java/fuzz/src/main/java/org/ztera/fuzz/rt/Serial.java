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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Copies a graph by writing and reading it. */
final class Serial {
    private Serial() {}

    /** Notes the classes in the order in which the stream describes them. */
    private static final class Out extends ObjectOutputStream {
        private final List<Class<?>> classes = new ArrayList<>();

        Out(ByteArrayOutputStream bytes) throws IOException {
            super(bytes);
        }

        @Override
        protected void annotateClass(Class<?> c) {
            classes.add(c);
        }
    }

    /** Finds them again: several loaders may have classes of one name. */
    private static final class In extends ObjectInputStream {
        private final Iterator<Class<?>> classes;

        In(byte[] bytes, List<Class<?>> classes) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.classes = classes.iterator();
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) {
            return classes.next();
        }
    }

    /** The copy; the object itself where it cannot be written. */
    static Object roundTrip(Object o) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Out out = new Out(bytes);
        try (out) {
            out.writeObject(o);
        } catch (NotSerializableException e) {
            return o;
        }
        try (In in = new In(bytes.toByteArray(), out.classes)) {
            return in.readObject();
        }
    }
}
