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

/**
 * A known number of objects of known classes in both heaps, for those who count the heap: each H2 object
 * refers to an H1 object and the other way round.
 */
public final class Population {
    /** Objects of each of the two classes below. */
    public static final int N = 1000;

    private Population() {}

    /** Lives in H2. */
    public static final class Moved {
        int number;
        Stayed partner;
        byte[] bytes;
    }

    /** Lives in H1. */
    public static final class Stayed {
        int number;
        Moved partner;
        String text;
    }

    private static Moved[] moved;
    private static Stayed[] stayed;

    /** Makes the population and moves its half. */
    public static void create() {
        moved = new Moved[N];
        for (int i = 0; i < N; i++) {
            moved[i] = new Moved();
            moved[i].number = i;
            moved[i].bytes = Graphs.bytes(100, i);
        }
        Child.move(moved, 1);
        stayed = new Stayed[N];
        for (int i = 0; i < N; i++) {
            stayed[i] = new Stayed();
            stayed[i].number = i;
            stayed[i].partner = moved[i];
            stayed[i].text = "stayed " + i;
            moved[i].partner = stayed[i];
        }
        // From here on the H1 objects are reachable through H2 only.
        stayed = null;
        Child.inH2(moved[N - 1], "the moved half");
        Child.inH1(moved[N - 1].partner, "the other half");
    }

    /** The array of the moved half. */
    public static Moved[] moved() {
        return moved;
    }

    /** Fails unless everything is as it was made. */
    public static void check() {
        for (int i = 0; i < N; i++) {
            Child.equal(i, moved[i].number, "number in H2");
            Graphs.checkBytes(moved[i].bytes, i, "bytes in H2");
            Child.equal(i, moved[i].partner.number, "number in H1");
            Child.equal("stayed " + i, moved[i].partner.text, "text in H1");
            Child.check(moved[i].partner.partner == moved[i], "partners");
        }
    }

    /** Forgets all of it. */
    public static void drop() {
        moved = null;
    }

    /** For a program that only has to be there to be looked at. */
    public static void main(String[] args) {
        Child.main(() -> {
            create();
            Child.ready();
            check();
        });
    }
}
