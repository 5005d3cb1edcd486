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

import java.util.Map;
import java.util.WeakHashMap;

/**
 * A WeakHashMap, the keys of which lie in H2 and die there one by one, while others of their group live. The values
 * of all keys are many times what the heap holds. Nobody calls System.gc().
 */
public final class WeakKeys {
    private static final int ROUNDS = 60;
    private static final int KEYS = 2000;
    private static final int VALUE_BYTES = 4096;
    /** One of so many stays. */
    private static final int KEPT = 100;

    private static final Map<Node, byte[]> map = new WeakHashMap<>();
    private static final Node[] kept = new Node[ROUNDS * KEYS / KEPT];

    private WeakKeys() {}

    public static void main(String[] args) {
        Child.main(WeakKeys::test);
    }

    private static void test() {
        for (int round = 0; round < ROUNDS; round++) {
            add(round);
        }
        Child.check(map.size() < ROUNDS * KEYS / 2, "of " + ROUNDS * KEYS + " keys " + map.size() + " are in the map");
        for (int i = 0; i < kept.length; i++) {
            Child.inH2(kept[i], "a key");
            Graphs.checkBytes(map.get(kept[i]), i, "the value of a key that lives");
        }
    }

    private static void add(int round) {
        Node[] keys = new Node[KEYS];
        for (int i = 0; i < KEYS; i++) {
            int number = round * KEYS + i;
            keys[i] = new Node(number);
            map.put(keys[i], Graphs.bytes(VALUE_BYTES, number / KEPT));
            if (i % KEPT == 0) {
                kept[number / KEPT] = keys[i];
            }
        }
        Child.move(keys, 1);
    }
}
