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
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An object with a name. No two cells of a process share one, so that the death of a cell can be judged without
 * a reference to it. Cells are made by one thread at a time, in an order that the program determines.
 */
public abstract class Cell implements Node, Serializable, Cloneable {
    private static final AtomicInteger LAST = new AtomicInteger();

    private transient int uid = LAST.incrementAndGet();

    protected Cell() {}

    /** The name. */
    public final int uid() {
        return uid;
    }

    /** The latest name given. */
    static int latest() {
        return LAST.get();
    }

    @Override
    public void visit(Walk walk) {
        walk.uid(uid);
    }

    /** A shallow copy under a name of its own. */
    public final Cell copy() {
        try {
            Cell copy = (Cell) clone();
            copy.uid = LAST.incrementAndGet();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        uid = LAST.incrementAndGet();
    }
}
