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
package org.ztera.demo.tiers;

import java.util.Random;

/**
 * One release of the distribution, made up from the real one: the same packages, in versions of their own, with a few
 * dependencies changed, and each with the same package in the release before.
 */
final class Release {
    private static final int CHANGED_PERCENT = 5;
    /** A node with its array and its texts, without its edges. */
    private static final int NODE_BYTES = 160;
    private static final int EDGE_BYTES = 4;

    /** A package in a release. */
    static final class Node {
        final int number;
        final String name;
        final String version;
        final Node before;
        Node[] depends;

        private Node(int number, String name, String version, Node before) {
            this.number = number;
            this.name = name;
            this.version = version;
            this.before = before;
        }
    }

    final Node[] nodes;

    private Release(Node[] nodes) {
        this.nodes = nodes;
    }

    /** @param first number of the first node; @param before the previous release, or null */
    static Release of(PackageGraph graph, int first, Release before, Random random) {
        Node[] nodes = new Node[graph.size()];
        for (int i = 0; i < nodes.length; i++) {
            String version = random.nextInt(100) + "." + random.nextInt(100) + "-" + random.nextInt(9);
            // A copy of the name: this group shall share no object with another.
            String name = new String(graph.names()[i].toCharArray());
            nodes[i] = new Node(first + i, name, version, before == null ? null : before.nodes[i]);
        }
        for (int i = 0; i < nodes.length; i++) {
            int[] depends = graph.depends()[i];
            nodes[i].depends = new Node[depends.length];
            for (int j = 0; j < depends.length; j++) {
                boolean changed = random.nextInt(100) < CHANGED_PERCENT;
                nodes[i].depends[j] = nodes[changed ? random.nextInt(nodes.length) : depends[j]];
            }
        }
        return new Release(nodes);
    }

    static long bytes(PackageGraph graph) {
        return graph.size() * (long) NODE_BYTES + graph.edges() * EDGE_BYTES;
    }
}
