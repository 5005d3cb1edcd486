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

import java.util.ArrayList;
import java.util.List;

/**
 * Strings in H2: equal to others, interned before and after the move, seen by string deduplication (which
 * may replace their arrays), and longer than a region.
 */
public final class Strings {
    private static final int N = 20_000;

    private static List<String> moved;
    private static List<String> twins;
    private static String[] interned;
    private static StringBuilder large;
    private static String largeString;

    private Strings() {}

    public static void main(String[] args) {
        Child.main(Strings::test);
    }

    private static void test() throws InterruptedException {
        moved = build();
        twins = build();
        interned = new String[100];
        for (int i = 0; i < interned.length; i++) {
            interned[i] = moved.get(i).intern();
        }
        Child.fullGc();
        Child.move(moved, 1);
        check();
        // Deduplication looks at old strings during collections and works on a thread of its own.
        for (int i = 0; i < 4; i++) {
            Child.youngGcs(4);
            Child.fullGc();
            check();
        }
        internAfterTheMove();
        dropInterned();
        large();
    }

    private static List<String> build() {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < N; i++) {
            list.add((i % 2 == 0 ? "value " : "Wert für € ") + i % 1000);
        }
        return list;
    }

    private static void check() {
        for (int i = 0; i < N; i++) {
            Child.equal(twins.get(i), moved.get(i), "string " + i);
            Child.equal(twins.get(i).hashCode(), moved.get(i).hashCode(), "hash of string " + i);
        }
        for (int i = 0; i < interned.length; i++) {
            Child.check(interned[i] == twins.get(i).intern(), "the interned string is the same object");
        }
    }

    private static void internAfterTheMove() {
        for (int i = 500; i < 600; i++) {
            String s = moved.get(i);
            String canonical = s.intern();
            Child.check(canonical == twins.get(i).intern(), "one string for equal strings");
            Child.equal(s, canonical, "interned string");
        }
        Child.youngGcs(2);
        Child.fullGc();
        check();
    }

    /** The string table holds strings weakly, those in H2 too. */
    private static void dropInterned() throws InterruptedException {
        interned = new String[0];
        moved = null;
        twins = null;
        // The deduplication thread may be holding one of them just now.
        Child.gcUntil(() -> !Child.h2() || H2Stats.used() == 0, 5, "strings die that only the string table refers to");
        for (int i = 0; i < 1000; i++) {
            String s = "value " + i;
            Child.equal(s, s.intern(), "a string interned again");
        }
    }

    private static void large() {
        large = new StringBuilder();
        for (int i = 0; i < 400_000; i++) {
            large.append(i).append(' ');
        }
        largeString = large.toString();
        Child.move(largeString, 2);
        Child.move(large, 3);
        Child.fullGc();
        Child.check(largeString.contentEquals(large), "large string and its builder");
        large.append("end").setCharAt(0, 'X');
        Child.equal(largeString.length() + 3, large.length(), "length of the builder");
        Child.equal(largeString.substring(1), large.substring(1, largeString.length()), "tail");
        Child.equal(400_000, largeString.split(" ").length, "parts of the large string");
    }
}
