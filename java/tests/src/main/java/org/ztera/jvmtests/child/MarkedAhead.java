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
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.ztera.H2;

/**
 * Data grow beyond H1, so that looks through H2 come by themselves, and begin with what was marked beside the program.
 * Meanwhile owners in H2 exchange what only they refer to, and a part of the data is dropped.
 */
public final class MarkedAhead {
    private static final int OWNERS = 900;
    private static final int PLUGINS = 20;
    private static final int CHUNK = 1000;
    /** Chunks between two exchanges of many owners. */
    private static final int CALM = 4;

    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Owner> owners = new ArrayList<>();
    private final List<Node> chunks = new ArrayList<>();

    private MarkedAhead() {}

    private static final class Owner {
        private Node owned;
        private LongUnaryOperator plugin;
    }

    /** The argument says how many nodes there are in the end. */
    public static void main(String[] args) {
        Child.main(() -> new MarkedAhead().test(Integer.parseInt(args[0])));
    }

    private void test(int size) {
        for (int i = 0; i < OWNERS; i++) {
            Owner owner = new Owner();
            owner.owned = Graphs.list(3, i);
            owner.plugin = i < PLUGINS ? Plugins.instance(Plugins.loadPluginClass()) : null;
            owners.add(owner);
        }
        for (int i = 0; i < size / CHUNK; i++) {
            chunks.add(Graphs.list(CHUNK, i));
            if (i % CALM == 0 && i > size / CHUNK / 3) {
                exchange();
                drop();
            }
        }
        H2Stats.atLeast(OWNERS / 2, owners.stream().filter(H2::contains).count(), "owners in H2");
        check();
    }

    /** Nobody else refers to either list while it is in neither place. */
    private void exchange() {
        for (int i = 0; i < 5; i++) {
            Owner a = owners.get(random.nextInt(OWNERS));
            Owner b = owners.get(random.nextInt(OWNERS));
            Node held = a.owned;
            a.owned = null;
            a.owned = b.owned;
            b.owned = held;
        }
    }

    private void drop() {
        int i = random.nextInt(chunks.size());
        chunks.set(i, Graphs.list(1, i));
    }

    private void check() {
        boolean[] seen = new boolean[OWNERS];
        for (Owner owner : owners) {
            int id = (int) owner.owned.value;
            Child.check(!seen[id], "each list has one owner");
            seen[id] = true;
            Child.equal(Graphs.listSum(3, id), Graphs.sum(owner.owned), "what is owned");
        }
        for (int i = 0; i < PLUGINS; i++) {
            Child.equal(Plugins.expected(i), owners.get(i).plugin.applyAsLong(i), "the plugin's answer");
        }
        for (int i = 0; i < chunks.size(); i++) {
            Node chunk = chunks.get(i);
            Child.equal(Graphs.listSum(chunk.left == null ? 1 : CHUNK, i), Graphs.sum(chunk), "a chunk");
        }
    }
}
