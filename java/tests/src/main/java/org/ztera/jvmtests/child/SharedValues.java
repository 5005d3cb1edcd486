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
 * Strings that deduplication finds equal have one value. Whichever of their groups moves first, it dies although the other
 * lives; and a string that is made later does not get a value that is in H2. Run with deduplication.
 */
public final class SharedValues {
    private static final int N = 2000;

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
        deduplicate();
        moved.addAll(build(N));
        Child.move(moved, 1);
        later = build(N);
        deduplicate();
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

    /** It looks at what has survived some young collections, or a full one, on a thread of its own. */
    private static void deduplicate() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            Child.youngGcs(2);
            Child.fullGc();
            Thread.sleep(50);
        }
    }
}
