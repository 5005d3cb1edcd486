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
import org.jgrapht.Graph;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/**
 * Road maps in JGraphT, one graph per town, each tagged when it is complete. An operation finds the shortest way
 * between two crossings of a town that are not far from each other; few towns are asked for mostly.
 */
final class Roads implements Workload {
    private static final int SIDE = 100;
    /** Measured: a crossing with its roads. */
    private static final int CROSSING_BYTES = 580;
    private static final int WAYS = 3_000;
    private static final int FAR = 12;

    private final SplittableRandom random;
    private final Random order;
    private final List<Graph<Integer, DefaultWeightedEdge>> towns = new ArrayList<>();
    private Picker picker;

    Roads(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
    }

    @Override
    public void load(Groups groups) {
        while (groups.wanted()) {
            Graph<Integer, DefaultWeightedEdge> town = town();
            towns.add(town);
            groups.finished(town, towns.size(), (long) SIDE * SIDE * CROSSING_BYTES);
        }
        picker = Picker.zipf(towns.size(), order);
    }

    private Graph<Integer, DefaultWeightedEdge> town() {
        Graph<Integer, DefaultWeightedEdge> town = new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
        for (int crossing = 0; crossing < SIDE * SIDE; crossing++) {
            town.addVertex(crossing);
        }
        for (int crossing = 0; crossing < SIDE * SIDE; crossing++) {
            if (crossing % SIDE > 0) {
                road(town, crossing, crossing - 1);
            }
            if (crossing >= SIDE) {
                road(town, crossing, crossing - SIDE);
            }
        }
        return town;
    }

    private void road(Graph<Integer, DefaultWeightedEdge> town, int from, int to) {
        town.setEdgeWeight(town.addEdge(from, to), 1 + random.nextInt(100));
    }

    @Override
    public int operations() {
        return WAYS;
    }

    @Override
    public long operate(int number) {
        Graph<Integer, DefaultWeightedEdge> town = towns.get(picker.pick(order));
        int x = random.nextInt(SIDE - FAR);
        int y = random.nextInt(SIDE - FAR);
        int from = y * SIDE + x;
        int to = (y + random.nextInt(1, FAR)) * SIDE + x + random.nextInt(1, FAR);
        return (long) new DijkstraShortestPath<>(town).getPathWeight(from, to);
    }
}
