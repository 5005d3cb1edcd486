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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A standalone master with two workers. */
class StandaloneIT {
    private static final List<String> SMALL = List.of("spark.executor.memory=512m", "spark.driver.memory=512m");
    private static final List<String> SHARE = List.of("spark.executor.memory=512m", "spark.executor.memoryOverhead=384m",
            "spark.driver.memory=512m", "spark.cores.max=1");
    private static final long LIMIT = (512L + 384) << 20;

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
        Path greedyHas = fresh("greedy-has");
        Path modestHas = fresh("modest-has");
        try (StandaloneCluster cluster = new StandaloneCluster("share", 2)) {
            var started = CompletableFuture.supplyAsync(() -> share("greedy", cluster, "100", greedyHas, modestHas))
                    .whenComplete((run, failure) -> touch(greedyHas));
            SparkRun modest;
            try {
                modest = share("modest", cluster, "16", modestHas, greedyHas);
            } finally {
                touch(modestHas);
            }
            SparkRun greedy = started.join();
            staysWithinItsShare(greedy);
            staysWithinItsShare(modest);
            assertTrue(greedy.number("memSize") > LIMIT && greedy.number("resident") < greedy.number("used") / 2, greedy::output);
            assertTrue(modest.number("resident") > modest.number("used") / 2, modest::output);
        }
    }

    private static SparkRun share(String name, StandaloneCluster cluster, String partitions, Path has, Path otherHas) {
        return SparkRun.submit("share-" + name, SparkRun.ZTERA, cluster.address(), "ShareApp", SHARE, partitions, has.toString(),
                otherHas.toString());
    }

    private static void staysWithinItsShare(SparkRun run) {
        run.mustSucceed();
        assertEquals(run.fact("expected"), run.fact("first"));
        assertEquals(run.fact("expected"), run.fact("second"));
        assertEquals(LIMIT, run.number("limit"));
        assertTrue(run.number("peak") <= LIMIT, run::output);
        assertTrue(run.number("used") > 0, run::output);
    }

    /** A file that is not there yet, and says when it is there that an application has cached its data. */
    private static Path fresh(String name) throws IOException {
        Path file = SparkRun.folder("share").resolve(name).toAbsolutePath();
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
