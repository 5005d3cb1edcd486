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

import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One walk over all that a root refers to, breadth first, which hashes what it sees. Two walks over equal graphs have
 * equal results, on any JVM.
 *
 * <p>A walk <em>with identity</em> numbers objects in the order in which it meets them, so that sharing and cycles are
 * in the result; it asks each object for its identity hash. A walk <em>by content</em> asks none and knows no identity,
 * so it ends after a number of visits. Strings and boxes are values in both.
 */
public final class Walk {
    private static final int MOST_BY_CONTENT = 3000;

    private final IdentityHashMap<Object, Integer> numbers;
    private final Map<Integer, Cell> cells = new HashMap<>();
    private final ArrayDeque<Object> todo = new ArrayDeque<>();
    private final int firstUid;
    private long hash = 1;
    private int visits;

    private Walk(boolean identity, int firstUid) {
        this.numbers = identity ? new IdentityHashMap<>(1024) : null;
        this.firstUid = firstUid;
    }

    /** @param firstUid what uids are counted from, so that the result does not depend on programs that ran before */
    static Walk withIdentity(Object root, int firstUid) {
        return new Walk(true, firstUid).from(root);
    }

    static Walk byContent(Object root, int firstUid) {
        return new Walk(false, firstUid).from(root);
    }

    private Walk from(Object root) {
        ref(root);
        for (Object o = todo.poll(); o != null; o = todo.poll()) {
            visits++;
            contents(o);
        }
        return this;
    }

    long hash() {
        return hash;
    }

    /** Objects met; with identity, each counts once. */
    int visits() {
        return visits;
    }

    /** The cells that were met, by name. The walk refers to them strongly. */
    Map<Integer, Cell> cells() {
        return cells;
    }

    /** Shows a primitive. */
    public void n(long value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 29;
    }

    /** Shows a floating-point number; all NaNs are one. */
    public void n(double value) {
        n(Double.doubleToLongBits(value));
    }

    public void n(boolean value) {
        n(value ? 1L : 2L);
    }

    void uid(int uid) {
        n((long) uid - firstUid);
    }

    /** Shows a reference; what it leads to is visited later. */
    public void ref(Object o) {
        if (o == null) {
            n(3L);
        } else if (!value(o)) {
            object(o);
        }
    }

    private boolean value(Object o) {
        switch (o) {
            case String s -> n(s.hashCode() * 31L + s.length());
            case Integer i -> n((long) i);
            case Long l -> n(l);
            case Double d -> n(d);
            case Number number -> n(number.longValue());
            case Boolean b -> n(b);
            case Character c -> n((long) c);
            case Class<?> c -> type(c);
            case Enum<?> e -> {
                n(e.name().hashCode());
                return !(o instanceof Node);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The name of a hidden class contains an address, that of a proxy class depends on those before it. */
    private void type(Class<?> c) {
        n(c.isHidden() || Proxy.isProxyClass(c) ? 5L : c.getName().hashCode());
    }

    private void object(Object o) {
        if (numbers == null) {
            if (visits + todo.size() < MOST_BY_CONTENT) {
                todo.add(o);
            }
            return;
        }
        Integer known = numbers.putIfAbsent(o, numbers.size());
        n(known == null ? -1L : known);
        if (known == null) {
            todo.add(o);
            if (o instanceof Cell c) {
                FuzzError.check(cells.put(c.uid(), c) == null, "two cells have one uid: " + c.uid());
            }
        }
    }

    private void contents(Object o) {
        type(o.getClass());
        switch (o) {
            case Node node -> node.visit(this);
            case Object[] array -> {
                n(array.length);
                for (Object e : array) {
                    ref(e);
                }
            }
            case Fn fn -> n(fn.apply(7));
            case Throwable t -> throwable(t);
            case Map<?, ?> map -> map(map);
            case Collection<?> c -> collection(c);
            case AtomicReference<?> r -> ref(r.get());
            case Reference<?> r -> n(17L);
            case ByteBuffer memory -> n(OffHeap.hash(memory));
            default -> n(Primitives.hash(o));
        }
    }

    private void collection(Collection<?> c) {
        n(c.size());
        for (Object e : c) {
            ref(e);
        }
    }

    /** An identity map's order is not the program's: only its size is shown, {@link Watches} judge the rest. */
    private void map(Map<?, ?> map) {
        n(map.size());
        if (!(map instanceof IdentityHashMap)) {
            map.forEach((k, v) -> {
                ref(k);
                ref(v);
            });
        }
    }

    /** The frames of generated code: those of the JDK depend on what it has cached. */
    private void throwable(Throwable t) {
        for (StackTraceElement e : t.getStackTrace()) {
            if (e.getClassName().startsWith("fuzzed.")) {
                n(e.getMethodName().startsWith("lambda$") ? 1L : e.getMethodName().hashCode());
                n(e.getLineNumber());
            }
        }
        ref(t.getCause());
        for (Throwable suppressed : t.getSuppressed()) {
            ref(suppressed);
        }
    }
}
