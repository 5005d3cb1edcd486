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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import org.ztera.H2;

/** The operations of a generated program besides plain Java. One instance per run of a program. */
public final class Fuzz {
    /** The most objects of a graph that is serialised: the JDK's code for that is recursive. */
    private static final int MOST_SERIALISED = 200;

    private static Fuzz current;
    private static Object garbage;

    private final Trace trace;
    private final int firstUid = Cell.latest();
    private final Watches watches = new Watches();
    private final Parked parked = new Parked();
    private final Uses uses = new Uses();
    private int checksums;

    private Fuzz(Trace trace) {
        this.trace = trace;
    }

    /** That of the program which runs now. */
    public static Fuzz current() {
        return current;
    }

    static Fuzz begin(Trace trace) {
        current = new Fuzz(trace);
        return current;
    }

    static void end(boolean awaitDeaths) throws Throwable {
        try {
            while (current.parked.count() > 0) {
                current.trace("at the end woken", current.parked.wake());
            }
            Mortals.drop();
            current.uses.drop();
            if (awaitDeaths) {
                Mortals.awaitDeaths();
                current.uses.awaitDeaths();
            }
        } finally {
            current.watches.release();
            Mortals.forget();
            current = null;
        }
    }

    // The values that are compared

    public void trace(String what, long value) {
        trace.observed(what + " " + value);
    }

    /** An exception that the program expects now and then. Its message may contain what no two runs share. */
    public void thrown(Throwable t) {
        trace.observed("thrown " + t.getClass().getName());
    }

    /** Hashes all that the program refers to, with identity, and judges weak references by it. */
    public void checksum(FuzzProgram program) {
        Walk walk = Walk.withIdentity(program, firstUid);
        trace.observed("checksum " + checksums++ + ": " + Long.toHexString(walk.hash()) + ", objects " + walk.visits()
                + ", cells " + walk.cells().size() + ", watched " + watches.count());
        watches.judge(walk.cells());
    }

    /** Hashes what the program refers to without asking for identity hashes. */
    public void content(FuzzProgram program) {
        Walk walk = Walk.byContent(program, firstUid);
        trace.observed("content " + checksums++ + ": " + Long.toHexString(walk.hash()) + ", visits " + walk.visits());
    }

    /** Fails unless this holds, as it does on every JVM. */
    public void check(boolean condition, String what) {
        FuzzError.check(condition, what);
    }

    // Collections

    public void gc() {
        System.gc();
    }

    /** A full collection by which the group of this label comes back from H2, if there is room. */
    public void giveBack(long label) {
        Returns.giveBack(label);
    }

    /** Allocates so much garbage, for young collections. */
    public void garbage(int kilobytes) {
        Plant.whereGarbageIsMade();
        for (int i = 0; i < kilobytes; i += 8) {
            garbage = new long[1023];
        }
        garbage = null;
    }

    public void tag(Object root, long label) {
        if (root != null) {
            H2.tag(root, label);
        }
    }

    // Cells that are watched

    public void weak(Cell cell) {
        if (cell != null) {
            watches.weak(cell);
        }
    }

    public void soft(Cell cell) {
        if (cell != null) {
            watches.soft(cell);
        }
    }

    public void phantom(Cell cell) {
        if (cell != null) {
            watches.phantom(cell);
        }
    }

    public void clean(Cell cell) {
        if (cell != null) {
            Deaths.clean(cell);
        }
    }

    public void weakMap(Cell cell) {
        if (cell != null) {
            watches.weakMap(cell);
        }
    }

    public void jniWeak(Cell cell) {
        if (cell != null) {
            watches.jniWeak(cell);
        }
    }

    public void hash(Cell cell) {
        if (cell != null) {
            watches.hash(cell);
        }
    }

    /** The caller has referred to the cell ever since it was made. */
    public void alive(Cell cell) {
        watches.alive(cell);
    }

    public static void finalized(Cell cell) {
        Deaths.finalized(cell.uid());
    }

    public void mortal(int size) {
        Mortals.make(size);
    }

    public void dropMortals() {
        Mortals.drop();
    }

    // Native code of others, and memory beside the heap

    public Uses uses() {
        return uses;
    }

    // Threads

    public void park(Parked.Body body) throws InterruptedException {
        parked.start(body);
    }

    public void wake() throws Throwable {
        trace("woken", parked.wake());
    }

    // Access to the inside of objects

    /** A copy by serialisation, if the graph is small enough and can be serialised; else the object itself. */
    public Object roundTrip(Object o) throws IOException, ClassNotFoundException {
        if (o == null || Walk.withIdentity(o, firstUid).visits() > MOST_SERIALISED) {
            return o;
        }
        return Serial.roundTrip(o);
    }

    public static VarHandle field(MethodHandles.Lookup lookup, Class<?> c, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(c, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** A field by its name. */
    public static Field declared(Class<?> c, String name) {
        try {
            return c.getDeclaredField(name);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** The one instance of {@code sun.misc.Unsafe}. */
    public static Object unsafe() {
        try {
            Field f = declared(Class.forName("sun.misc.Unsafe"), "theUnsafe");
            f.setAccessible(true);
            return f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** A string; which of its characters are not Latin-1 depends on the seed. */
    public static String text(int length, long seed) {
        StringBuilder s = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            s.append((char) ((seed & 3) == 0 ? 0x3b1 + (seed + i) % 24 : 'a' + Math.floorMod(seed + i, 26)));
        }
        return s.toString();
    }
}
