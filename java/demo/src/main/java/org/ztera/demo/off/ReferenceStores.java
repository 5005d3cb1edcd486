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
package org.ztera.demo.off;

/**
 * Stores of references into fields and arrays of objects in the old generation, each of which marks a card. There are
 * so few of them that they stay in the CPU's cache, where a store has no other price.
 */
final class ReferenceStores implements Work {
    private static final int NODES = 1 << 13;
    private static final int STORES = 25_000_000;

    private static final class Node {
        final int number;
        Node next;

        Node(int number) {
            this.number = number;
        }
    }

    private final Node[] nodes = new Node[NODES];
    private final Node[] slots = new Node[NODES];

    ReferenceStores() {
        for (int i = 0; i < NODES; i++) {
            nodes[i] = new Node(i);
        }
        System.gc();
    }

    @Override
    public long iterate(int number) {
        int at = number;
        for (int i = 0; i < STORES; i++) {
            at = at * 1_103_515_245 + 12_345;
            Node node = nodes[at >>> 19];
            nodes[i & NODES - 1].next = node;
            slots[at >>> 8 & NODES - 1] = node;
        }
        long found = 0;
        for (int i = 0; i < NODES; i++) {
            found = found * 31 + nodes[i].next.number + (slots[i] == null ? 0 : slots[i].number);
        }
        return found;
    }
}
