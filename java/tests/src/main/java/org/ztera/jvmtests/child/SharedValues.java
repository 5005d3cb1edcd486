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

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Strings that deduplication finds equal have one value. The group that moves first dies although the other lives; and
 * a string that is made later does not get a value that is in H2. Run with deduplication, and with java.lang opened to
 * see that it has come by.
 */
public final class SharedValues {
    private static final int N = 2000;
    private static final Field VALUE;

    static {
        try {
            VALUE = String.class.getDeclaredField("value");
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
        VALUE.setAccessible(true);
    }

    private static List<String> moved;
    private static List<String> staying;
    private static List<String> later;

    private SharedValues() {}

    public static void main(String[] args) {
        Child.main(SharedValues::test);
    }

    private static void test() throws InterruptedException {
        moved = build(0);
        staying = build(0);
        deduplicate(moved, staying);
        moved.addAll(build(N));
        Child.move(moved, 1);
        later = build(N);
        deduplicate(later, build(N));
        moved = null;
        Child.gcUntil(() -> H2Stats.used() == 0, 5, "the group dies, though equal strings live");
        for (int i = 0; i < N; i++) {
            Child.equal("value " + i, staying.get(i), "a string that was deduplicated before the move");
            Child.equal("value " + (N + i), later.get(i), "a string made after the move");
        }
    }

    private static List<String> build(int first) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < N; i++) {
            list.add("value " + (first + i));
        }
        return list;
    }

    /**
     * It looks at what has survived some young collections, or a full one, on a thread of its own, one string after the
     * other.
     */
    private static void deduplicate(List<String> list, List<String> equal) throws InterruptedException {
        Child.gcUntil(() -> shareAll(list, equal), 100, "equal strings share their values");
    }

    private static boolean shareAll(List<String> list, List<String> equal) {
        try {
            for (int i = 0; i < N; i++) {
                if (VALUE.get(list.get(i)) != VALUE.get(equal.get(i))) {
                    return false;
                }
            }
            return true;
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
