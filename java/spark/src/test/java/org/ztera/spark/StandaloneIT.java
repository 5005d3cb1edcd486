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
package org.ztera.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.ztera.kit.Cgroup;

/** A standalone master with two workers. */
class StandaloneIT {
    private static final List<String> SMALL = List.of("spark.executor.memory=512m", "spark.driver.memory=512m");
    private static final List<String> ONE_CORE = List.of("spark.executor.memory=512m", "spark.driver.memory=512m", "spark.cores.max=1");
    private static final String OVERHEAD = "spark.executor.memoryOverhead=384m";
    private static final long LIMIT = (512L + 384) << 20;
    /** For two heaps, what two executors and their worker need beside, and a part of what the greedy one caches. */
    private static final long CONTAINER = 1664L << 20;

    @Test
    void answersStayRightWhenAWorkerIsKilled() throws IOException, InterruptedException {
        try (StandaloneCluster cluster = new StandaloneCluster("standalone", 2)) {
            SparkRun run = SparkRun.submit("standalone-app", SparkRun.ZTERA, cluster.address(), "KillApp", SMALL, "worker").mustSucceed();
            ClusterIT.answersAreRight(run);
            assertEquals(1, run.number("executorsAfter"));
            assertEquals(1, cluster.workersAlive());
        }
    }

    /** One executor caches more than its share of the machine holds. It gets by. Its neighbour keeps its own. */
    @Test
    void executorsKeepToTheirShares() throws IOException, InterruptedException {
        List<String> conf = new ArrayList<>(ONE_CORE);
        conf.add(OVERHEAD);
        try (StandaloneCluster cluster = new StandaloneCluster("share", 2)) {
            Pair pair = share("share", cluster, conf);
            for (SparkRun run : pair.both()) {
                assertEquals(LIMIT, run.number("limit"));
                assertTrue(run.number("peak") <= LIMIT, run::output);
            }
            assertTrue(pair.greedy.number("memSize") > LIMIT, pair.greedy::output);
            assertTrue(pair.greedy.number("resident") < pair.greedy.number("used") / 2, pair.greedy::output);
            assertTrue(pair.modest.number("resident") > pair.modest.number("used") / 2, pair.modest::output);
        }
    }

    /** No overhead divides the container. Each executor reckons with all of it, and the greedy one gives way. */
    @Test
    void executorsShareAContainer() throws IOException, InterruptedException {
        Cgroup made;
        try {
            made = Cgroup.create("executors", CONTAINER);
        } catch (IOException e) {
            System.out.println("SKIPPED, no memory cgroup can be created, which takes root: " + e);
            return;
        }
        try (Cgroup container = made;
                StandaloneCluster cluster = StandaloneCluster.inContainer("container", container.entrance(SparkRun.folder("container")))) {
            Pair pair = share("container", cluster, ONE_CORE);
            assertEquals(0, container.kills(), "processes that the kernel killed");
            for (SparkRun run : pair.both()) {
                assertEquals(0, run.number("limit"), "the JVM goes by the container");
            }
            assertTrue(gives(pair.greedy) > Math.max(gives(pair.modest), 64 << 20), pair.greedy::output);
        }
    }

    /** Two applications with an executor each, and much data or little. */
    private record Pair(SparkRun greedy, SparkRun modest) {
        List<SparkRun> both() {
            return List.of(greedy, modest);
        }
    }

    /** Bytes of its data that are not in DRAM as they are. */
    private static long gives(SparkRun run) {
        return run.number("used") - run.number("resident");
    }

    /** Neither reads its data again before both have cached theirs. */
    private static Pair share(String name, StandaloneCluster cluster, List<String> conf) throws IOException {
        Path greedyHas = fresh(name, "greedy-has");
        Path modestHas = fresh(name, "modest-has");
        var started = CompletableFuture.supplyAsync(() -> run(name + "-greedy", cluster, conf, "100", greedyHas, modestHas))
                .whenComplete((run, failure) -> touch(greedyHas));
        SparkRun modest;
        try {
            modest = run(name + "-modest", cluster, conf, "16", modestHas, greedyHas);
        } finally {
            touch(modestHas);
        }
        Pair pair = new Pair(started.join(), modest);
        pair.both().forEach(StandaloneIT::answersAreRight);
        return pair;
    }

    private static SparkRun run(String name, StandaloneCluster cluster, List<String> conf, String partitions, Path has, Path otherHas) {
        return SparkRun.submit(name, SparkRun.ZTERA, cluster.address(), "ShareApp", conf, partitions, has.toString(), otherHas.toString());
    }

    private static void answersAreRight(SparkRun run) {
        run.mustSucceed();
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertTrue(run.number("used") > 0, run::output);
    }

    /** A file that is not there yet, and says when it is there that an application has cached its data. */
    private static Path fresh(String folder, String name) throws IOException {
        Path file = SparkRun.folder(folder).resolve(name).toAbsolutePath();
        Files.deleteIfExists(file);
        return file;
    }

    /** An application that ends early must not keep the other waiting. */
    private static void touch(Path file) {
        try {
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
