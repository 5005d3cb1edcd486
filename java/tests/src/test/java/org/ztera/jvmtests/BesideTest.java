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
package org.ztera.jvmtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.ztera.kit.OopMode.NARROW;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ztera.jvmtests.child.Child;
import org.ztera.jvmtests.child.Grows;
import org.ztera.jvmtests.child.LimitReached;
import org.ztera.jvmtests.child.MuchBeside;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmProcess;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;
import org.ztera.kit.Cgroup;

/** Memory that grows beside the heap, or is taken away: the kernel kills nobody. */
class BesideTest {
    private static final long M = 1 << 20;
    private static final long LIMIT = 512 * M;
    private static final long BETWEEN = 456 * M;
    private static final long LOWERED = 400 * M;
    private static final long SMALL = 256 * M;
    /** How often each kind is tried; {@code make bursts TIMES=10} tries longer. */
    private static final int TIMES = Integer.getInteger("ztera.times");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * H2 had all the memory that was free, and gave it back within a second, or 50 ms where little was left. Buffers,
     * mapped files and children came sooner, and the kernel killed the JVM. It nearly always killed it where eight
     * threads took half of the limit on two busy CPUs.
     *
     * Situation: memory beside the heap: direct buffers, files on tmpfs, a child or eight threads take up to half of a
     * full limit at once. Outcome: the kernel kills nobody, and all data are there.
     */
    @ParameterizedTest
    @CsvSource({"direct, 96, false", "direct, 128, true", "mapped, 96, true", "mapped, 96, false", "child, 250, false",
        "child, 250, true", "threads, 128, false", "threads, 128, true", "threads, 240, false", "threads, 240, true"})
    void aBurstIsSurvived(String kind, int mib, boolean hasSsd) throws IOException {
        for (int i = 0; i < TIMES; i++) {
            inCgroup("burst-" + kind + "-" + hasSsd, LIMIT, group -> {
                int data = hasSsd ? 600 : 500;
                JvmRun run = grows(hasSsd).main(Grows.class, kind, Integer.toString(mib), Integer.toString(data));
                return run.through(group.entrance(run.directory())).run();
            }).forEach(JvmResult::passed);
        }
    }

    /**
     * A JVM whose limit falls gives back, and says so. It was killed.
     *
     * Situation: memory beside the heap: a container's limit is lowered in two steps under a full JVM. Outcome: it
     * shrinks, warns and goes on.
     */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aLimitThatFallsIsSurvived(boolean hasSsd) throws IOException {
        List<JvmResult> results = inCgroup("falls-" + hasSsd, LIMIT, group -> {
            JvmRun run = grows(hasSsd).main(Grows.class, "waits", "0", "400");
            JvmProcess child = run.through(group.entrance(run.directory())).start().awaitLine(Child.READY);
            // The kernel takes what lingers for it. In one step it would take all of that, and nobody may grow until
            // there is some again: one run in five ended in a kill.
            lower(group, child, BETWEEN);
            lower(group, child, LOWERED);
            return child.send("").await();
        });
        results.forEach(result -> result.passed().line("\\[warning\\].*The memory limit fell from 456M to 400M"));
    }

    private static void lower(Cgroup group, JvmProcess child, long bytes) throws IOException {
        group.lower(bytes);
        awaitLimit(child, bytes);
    }

    private static void awaitLimit(JvmProcess child, long bytes) {
        long limit;
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            assertTrue(System.nanoTime() < end, "the JVM never noticed its limit");
            limit = child.h2Info(Setup.DEFAULT.jdk()).getAsJsonObject("memory").get("limit_bytes").getAsLong();
        } while (limit != bytes);
    }

    /**
     * The pool's maximum stayed what the limit had been at start.
     *
     * <p>Situation: memory limit: a container's limit is raised while the JVM runs. Outcome: compressed pages may have
     * more than all that there was before.
     */
    @Test
    void aLimitThatRisesIsUsed() throws IOException {
        inCgroup("rises", SMALL, group -> {
            JvmRun run = grows(false).flag("-Xmx96m").main(Grows.class, "waits", "0", "60");
            JvmProcess child = run.through(group.entrance(run.directory())).start().awaitLine(Child.READY);
            assertTrue(poolLimit(child) < SMALL, "the pool's maximum is within the limit");
            group.raise(4 * SMALL);
            awaitLimit(child, 4 * SMALL);
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (poolLimit(child) <= SMALL) {
                assertTrue(System.nanoTime() < end, "the pool's maximum is still " + poolLimit(child));
            }
            return child.send("").await();
        }).forEach(JvmResult::passed);
    }

    private static long poolLimit(JvmProcess child) {
        return child.h2Info(Setup.DEFAULT.jdk()).getAsJsonObject("engine").get("mem_limit").getAsLong();
    }

    private static JvmRun grows(boolean hasSsd) {
        JvmRun run = JvmRun.of(Setup.DEFAULT).flag("-Xmx160m", "-XX:MaxDirectMemorySize=256m", "-XX:H2Size=2g", "-XX:-H2Verify",
                "-XX:TieredStopAtLevel=1");
        return hasSsd ? run.flag("-XX:H2Path=.") : run;
    }

    /**
     * H1 grew beyond the container's limit, and the kernel killed the JVM. It was only warned of.
     *
     * Situation: memory beside the heap: Xmx is more than the container's limit. Outcome: a smaller heap, a warning
     * that names both, and an OutOfMemoryError when it is full.
     */
    @Test
    void aHeapBeyondTheContainersLimitIsCut() throws IOException {
        List<JvmResult> results = inCgroup("cut", SMALL, group -> {
            JvmRun run = JvmRun.of(Setup.DEFAULT).flag("-Xms400m", "-Xmx400m", "-XX:H2Size=1g", "-XX:-H2Auto", "-XX:-H2Verify")
                    .main(LimitReached.class);
            return run.through(group.entrance(run.directory())).run();
        });
        results.forEach(result -> result.passed().line("gets at most \\d+M, not the 400M that Xmx allows: the container's limit of 256M .*lower Xmx to"));
    }

    /** Runs its arguments with files of at most 16 MiB. */
    private static final String LIMITED_FILES = "ulimit -f 32768; exec \"$@\"";

    /**
     * An SSD that refuses what it is given was not mentioned at all.
     *
     * Situation: full devices: the SSD below H2 takes no more data. Outcome: a warning with the remedy, and all data
     * are there.
     */
    @Matrix(modes = NARROW)
    void anSsdThatRefusesIsWarnedOf(Setup setup) throws IOException {
        // All of it fits into the limit, but for the part that the disk still takes.
        JvmRun run = JvmRun.of(setup).flag("-XX:H2Size=1g", "-XX:H2MemoryLimit=490m", "-XX:-H2Verify", "-XX:H2Path=.")
                .main(MuchBeside.class);
        JvmResult result = run.through("sh", "-ec", LIMITED_FILES, "sh").run().passed();
        if (!Jdk.STOCK) {
            result.line("\\[warning\\].*H2Path=\\. (fails|refuses writes).*stay in memory");
        }
    }

    /** The part of a test that runs in a cgroup. */
    @FunctionalInterface
    private interface Body {
        JvmResult run(Cgroup group) throws IOException;
    }

    /** One result, or none where there can be no cgroup. */
    private static List<JvmResult> inCgroup(String name, long limit, Body body) throws IOException {
        List<JvmResult> results = new ArrayList<>();
        if (Jdk.STOCK) {
            return results;
        }
        Cgroup made;
        try {
            made = Cgroup.create(name, limit);
        } catch (IOException e) {
            System.out.println("SKIPPED, no memory cgroup can be created, which takes root: " + e);
            return results;
        }
        try (Cgroup group = made) {
            results.add(body.run(group));
            assertEquals(0, group.kills(), () -> "processes that the kernel killed: " + results.getFirst().text());
        }
        return results;
    }
}
