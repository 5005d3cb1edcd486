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

/** Asks strings in H2 for their hashes, which nobody did before, and waits before and after while the parent looks. */
public final class StringHashes {
    private static final int STRINGS = 100_000;
    /** More characters than are hashed ahead. */
    private static final int LONG = 2_000;

    private static String[] strings;

    private StringHashes() {}

    public static void main(String[] args) {
        Child.main(StringHashes::test);
    }

    private static void test() throws Exception {
        strings = new String[STRINGS];
        for (int i = 0; i < STRINGS; i++) {
            strings[i] = text(i);
        }
        Child.move(strings, 0);
        readAll();
        Child.ready();
        for (int i = 0; i < STRINGS; i++) {
            Child.equal(hash(strings[i]), strings[i].hashCode(), "hash of string " + i);
        }
        System.out.println("HASHED");
        System.in.read();
        Child.inH2(strings[STRINGS - 1], "the last string");
    }

    /** Of all kinds: empty, with one byte per character and with two, long, with a hash of 0. */
    private static String text(int i) {
        return switch (i % 10_000) {
            case 0 -> new String(new char[0]);
            case 1 -> "\u0416" + i;
            case 2 -> Integer.toString(i).repeat(LONG);
            case 3 -> new String(new char[] {0, 0});
            default -> "the text of string " + i;
        };
    }

    /** Each unit is read, so that it leaves memory without being stored again. */
    private static void readAll() {
        long chars = 0;
        for (String s : strings) {
            chars += s.length();
        }
        Child.check(chars > STRINGS, "there are characters");
    }

    /** As the language specifies it. */
    private static int hash(String s) {
        int hash = 0;
        for (int i = 0; i < s.length(); i++) {
            hash = 31 * hash + s.charAt(i);
        }
        return hash;
    }
}
