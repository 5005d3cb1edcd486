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

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A cluster of processes on this machine. Only the plugin and JAVA_HOME are given: the plugin gives executors their H2.
 */
class ClusterIT {
    private static final String MASTER = "local-cluster[2,1,512]";
    private static final List<String> SMALL = List.of("spark.executor.memory=512m", "spark.driver.memory=512m");

    @Test
    void answersStayRightWhenAnExecutorIsKilled() {
        SparkRun run = SparkRun.submit("cluster", SparkRun.ZTERA, MASTER, "KillApp", SMALL, "executor").mustSucceed();
        answersAreRight(run);
    }

    /** KillApp got the same answers as without a loss, and used H2. */
    static void answersAreRight(SparkRun run) {
        assertEquals(run.fact("expected"), run.fact("before"));
        assertEquals(run.fact("expected"), run.fact("during"));
        assertEquals(run.fact("expected"), run.fact("after"));
        assertEquals(2, run.number("executorsBefore"));
        assertEquals("true", run.fact("killed"));
        assertTrue(run.number("partitionsInH2") > 0, run::output);
        assertTrue(run.number("memSize") > run.number("storageOfTwoHeaps"), run::output);
    }

    @Test
    void theApplicationEndsWithTheReasonWhenExecutorsHaveNoH2() {
        SparkRun run = SparkRun.submit("cluster-stock", SparkRun.ZTERA, "local-cluster[1,1,512]", "KillApp",
                List.of("spark.executor.memory=512m", "spark.driver.memory=512m", "spark.executorEnv.JAVA_HOME=" + SparkRun.STOCK),
                "executor");
        assertTrue(run.status() != 0, run::output);
        assertTrue(run.output().contains("cannot start. ZTera: this JVM has no second heap"), run::output);
    }
}
