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
package org.ztera.defaults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/**
 * Objects that get new neighbours after they moved. A third of the live data are nodes, in chunks that are tagged and
 * moved when they are built; the rest are neighbours that the program attaches to them afterwards, to those of few
 * chunks mostly. It asks for the chunk's label to be moved again now and then.
 */
final class Neighbours implements Workload {
    private static final int CHUNK = 2_048;
    /** Measured: a node with its name; a neighbour with its note. */
    private static final int NODE_BYTES = 122;
    private static final int NEIGHBOUR_BYTES = 104;
    private static final int ATTACHED_AT_ONCE = 1_024;
    private static final int WALKS = 128;
    private static final int STEPS = 6;

    private static final class Node {
        final int number;
        final String name;
        Neighbour first;
        int degree;

        Node(int number, String name) {
            this.number = number;
            this.name = name;
        }
    }

    private record Neighbour(Node node, Neighbour next, long weight, String note) {
    }

    private final SplittableRandom random;
    private final Random order;
    private final Words words;
    private final List<Node[]> chunks = new ArrayList<>();
    private Picker picker;
    private Hints hints;
    private int operations;

    Neighbours(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        words = new Words(random, 5_000);
    }

    @Override
    public void load(Groups groups) {
        hints = groups.hints();
        long size = groups.wantedBytes();
        long nodes = size / 3 / NODE_BYTES;
        for (int first = 0; first < nodes; first += CHUNK) {
            Node[] chunk = new Node[CHUNK];
            for (int i = 0; i < CHUNK; i++) {
                chunk[i] = new Node(first + i, words.text(random, 8));
            }
            chunks.add(chunk);
            groups.finished(chunk, chunks.size(), 3L * CHUNK * NODE_BYTES);
        }
        operations = (int) (size * 2 / 3 / NEIGHBOUR_BYTES / ATTACHED_AT_ONCE);
        picker = Picker.zipf(chunks.size(), order);
    }

    @Override
    public int operations() {
        return operations;
    }

    @Override
    public long operate(int number) {
        int at = picker.pick(order);
        Node[] chunk = chunks.get(at);
        Node[] other = chunks.get((at + 1) % chunks.size());
        for (int i = 0; i < ATTACHED_AT_ONCE; i++) {
            Node from = chunk[random.nextInt(CHUNK)];
            Node to = (random.nextInt(8) == 0 ? other : chunk)[random.nextInt(CHUNK)];
            from.first = new Neighbour(to, from.first, random.nextInt(1_000), words.text(random, 5));
            from.degree++;
        }
        hints.move(at + 1L);
        long found = 0;
        for (int walk = 0; walk < WALKS; walk++) {
            found = found * 31 + walk(chunk[random.nextInt(CHUNK)]);
        }
        return found;
    }

    private long walk(Node node) {
        long found = node.degree;
        for (int step = 0; step < STEPS && node.degree > 0; step++) {
            Neighbour neighbour = node.first;
            for (int skip = random.nextInt(Math.min(node.degree, 16)); skip > 0; skip--) {
                neighbour = neighbour.next;
            }
            found = found * 31 + neighbour.weight + neighbour.note.length() + neighbour.node.name.charAt(0);
            node = neighbour.node;
        }
        return found * 31 + node.number;
    }
}
