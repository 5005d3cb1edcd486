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

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls System.gc() again and again, with references to a group in H2. With {@code idle} nothing changes between two
 * calls; with {@code busy} the program writes to the group, but nothing of it dies.
 */
public final class ManyCollections {
    private static final int N = 1000;
    private static final int COLLECTIONS = 40;

    private static final List<WeakReference<Node>> references = new ArrayList<>();
    private static Node[] group;

    private ManyCollections() {}

    public static void main(String[] args) {
        Child.main(() -> test(args[0].equals("busy")));
    }

    private static void test(boolean busy) {
        group = new Node[N];
        for (int i = 0; i < N; i++) {
            group[i] = new Node(i);
            references.add(new WeakReference<>(group[i]));
        }
        Child.move(group, 1);
        for (int i = 0; i < COLLECTIONS; i++) {
            if (busy) {
                group[i].left = group[i + 1];
            }
            Child.fullGc();
        }
        for (int i = 0; i < N; i++) {
            Child.check(references.get(i).refersTo(group[i]), "a reference to what lives was cleared");
        }
    }
}
