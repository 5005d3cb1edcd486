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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The package dependency graph of the distribution, as often as it takes, each time a little different. An operation
 * starts at a random package of a random release and goes breadth first along the dependencies, and back to older
 * releases.
 */
final class GraphWorkload implements Workload {
    private static final int TRAVERSALS = 1000;
    private static final int MOST_NODES = 200;

    private final Path packages;
    private final Random random;
    private final List<Release> releases = new ArrayList<>();

    /** @param packages what {@link PackageGraph#read} takes */
    GraphWorkload(Path packages, long seed) {
        this.packages = packages;
        this.random = new Random(seed);
    }

    @Override
    public void load(Groups groups) throws IOException {
        PackageGraph graph = PackageGraph.read(packages);
        while (groups.wanted()) {
            Release before = releases.isEmpty() ? null : releases.getLast();
            releases.add(Release.of(graph, releases.size() * graph.size(), before, random));
            groups.finished(releases.getLast(), Release.bytes(graph));
        }
    }

    @Override
    public int operations() {
        return TRAVERSALS;
    }

    @Override
    public long operate(int number) {
        Release.Node[] nodes = releases.get(random.nextInt(releases.size())).nodes;
        return traverse(nodes[random.nextInt(nodes.length)]);
    }

    private static long traverse(Release.Node root) {
        Set<Integer> seen = new HashSet<>();
        ArrayDeque<Release.Node> queue = new ArrayDeque<>();
        queue.add(root);
        seen.add(root.number);
        long found = 0;
        while (!queue.isEmpty()) {
            Release.Node node = queue.remove();
            found = found * 31 + node.number + node.name.length() * 7L + node.version.charAt(0);
            for (Release.Node next : node.depends) {
                visit(next, seen, queue);
            }
            visit(node.before, seen, queue);
        }
        return found;
    }

    private static void visit(Release.Node node, Set<Integer> seen, ArrayDeque<Release.Node> queue) {
        if (node != null && seen.size() < MOST_NODES && seen.add(node.number)) {
            queue.add(node);
        }
    }
}
