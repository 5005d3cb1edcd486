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
package org.ztera.jvmtests.stress;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.SplittableRandom;
import org.ztera.H2;

/**
 * Several threads change graphs of many shapes, in both heaps, while they are tagged, moved, dropped and
 * collected, and compare all of it with a model again and again.
 *
 * <p>Arguments: {@code --seconds N} or {@code --operations N} (per thread), {@code --threads N},
 * {@code --seed N}. The seed is printed. It determines what each mutator does; when collections happen is
 * left to chance, so a failure is replayed by repeating the run with its seed a few times.
 *
 * <p>Exits with 0 if nothing was wrong; 1 with the first error; 3 if a mutator hung. Runs on any JVM: on one
 * without H2 the moves do nothing.
 */
public final class Stress {
    private static final long HANG_NANOS = 180_000_000_000L;
    private static final long REPORT_NANOS = 10_000_000_000L;

    private final long seed;
    private final long end;
    private final long operations;
    private final Commons commons = new Commons();
    private final Mutator[] mutators;
    private volatile String failure;
    private long collections;

    private Stress(long seed, long seconds, long operations, int threads) {
        this.seed = seed;
        this.end = System.nanoTime() + seconds * 1_000_000_000L;
        this.operations = operations;
        this.mutators = new Mutator[threads];
        for (int i = 0; i < threads; i++) {
            mutators[i] = new Mutator(this, commons, i, seed);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Map<String, Long> options = new java.util.HashMap<>(Map.of("--seconds", 10L, "--operations", 0L, "--threads", 4L,
                "--seed", System.nanoTime() & 0xffff_ffffL));
        for (int i = 0; i < args.length; i += 2) {
            if (!options.containsKey(args[i]) || i + 1 == args.length) {
                System.err.println("unknown option " + args[i] + "; options, each with a number: " + options.keySet());
                System.exit(2);
            }
            options.put(args[i], Long.parseLong(args[i + 1]));
        }
        long operations = options.get("--operations");
        Stress stress = new Stress(options.get("--seed"), options.get("--seconds"), operations,
                options.get("--threads").intValue());
        System.out.println("STRESS seed " + stress.seed + (H2.isEnabled() ? " with H2" : " without H2"));
        System.exit(stress.run() ? 0 : 1);
    }

    static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    static void check(boolean condition, String what, Cell cell, Shadow shadow) {
        if (!condition) {
            throw new AssertionError(what + " is wrong; the object has id " + cell.id + " uid " + Long.toHexString(cell.uid)
                    + " value " + cell.value + (H2.contains(cell) ? " in H2" : " in H1") + " payload "
                    + (cell.payload == null ? "null" : cell.payload.getClass().getName()) + "; expected "
                    + shadow.describe(cell.id));
        }
    }

    /** Whether a mutator that has done so many operations should do another. */
    boolean goesOn(long done) {
        return failure == null && (operations > 0 ? done < operations : System.nanoTime() - end < 0);
    }

    /** Notes the first failure. */
    synchronized void failed(String who, Throwable t) {
        if (failure == null) {
            failure = who;
            System.out.println("STRESS FAILED seed " + seed + ": " + who);
            t.printStackTrace(System.out);
        }
    }

    private boolean run() throws InterruptedException {
        for (Mutator m : mutators) {
            m.start();
        }
        collectWhileTheyRun();
        if (failure == null) {
            try {
                commonsAreRight();
                Accounting.check(everythingDies());
            } catch (AssertionError e) {
                failed("at the end", e);
            }
        }
        report();
        System.out.println(failure == null ? "STRESS PASSED seed " + seed : "STRESS FAILED seed " + seed);
        return failure == null;
    }

    /** This thread only collects: full and young collections and moves, at random times. */
    private void collectWhileTheyRun() throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        long lastReport = System.nanoTime();
        long lastProgress = lastReport;
        long lastOperations = 0;
        while (anyAlive()) {
            Thread.sleep(random.nextInt(5, 150));
            switch (random.nextInt(5)) {
                case 0 -> H2.moveNow(random.nextInt(World.LABELS + 1));
                case 1 -> System.gc();
                case 2 -> H2.move(random.nextInt(World.LABELS + 1));
                default -> { }
            }
            collections++;
            long now = System.nanoTime();
            if (done() != lastOperations) {
                lastOperations = done();
                lastProgress = now;
            } else if (now - lastProgress > HANG_NANOS) {
                hung();
            }
            if (now - lastReport > REPORT_NANOS) {
                report();
                lastReport = now;
            }
        }
    }

    private boolean anyAlive() {
        for (Mutator m : mutators) {
            if (m.isAlive()) {
                return true;
            }
        }
        return false;
    }

    private long done() {
        long sum = 0;
        for (Mutator m : mutators) {
            sum += m.operations;
        }
        return sum;
    }

    private void hung() {
        System.out.println("STRESS HUNG seed " + seed);
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            System.out.println(thread);
            for (StackTraceElement e : stack) {
                System.out.println("    " + e);
            }
        });
        Runtime.getRuntime().halt(3);
    }

    private void report() {
        long cells = 0;
        long dead = 0;
        for (Mutator m : mutators) {
            cells += m.cellsChecked;
            dead += m.watches.dead();
        }
        var classes = ManagementFactory.getClassLoadingMXBean();
        H2.Stats s = H2.stats();
        System.out.println("STRESS operations " + done() + ", cells checked " + cells + ", references enqueued " + dead
                + ", classes unloaded " + classes.getUnloadedClassCount() + ", loaded " + classes.getLoadedClassCount()
                + ", objects moved " + s.movedObjects() + ", regions used " + s.regionsUsed() + " of " + s.regionsTotal()
                + ", freed " + s.regionsFreed() + ", resident " + (s.residentBytes() >> 20) + " MiB, faults " + s.faultCount());
    }

    /** The threads' work on the commons, and the rest there, add up. */
    private void commonsAreRight() {
        long increments = 0;
        long mapTotal = 0;
        long inQueue = 0;
        for (Mutator m : mutators) {
            increments += m.increments;
            mapTotal += m.mapTotal;
            inQueue += m.passedOn - m.taken;
        }
        for (long n = commons.poll(); n != 0; n = commons.poll()) {
            inQueue -= n;
        }
        check(commons.counted() == increments, "shared counters");
        check(commons.mapSum() == mapTotal, "shared map");
        check(inQueue == 0, "shared queue");
    }

    /**
     * All worlds are given up: all that was watched becomes unreachable. Under {@code H2Stress} a region
     * may also hold objects of the JDK that live on, and then keeps the rest, so nothing is asked.
     *
     * @return whether all of it died
     */
    private boolean everythingDies() throws InterruptedException {
        boolean mayStay = ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-XX:+H2Stress");
        for (int i = 0; i < 20 && pending() > 0; i++) {
            System.gc();
            Thread.sleep(20);
            for (Mutator m : mutators) {
                m.watches.poll(m.world);
            }
        }
        check(mayStay || pending() == 0, "cells that nothing reaches are alive: " + pending());
        return !mayStay;
    }

    private int pending() {
        int sum = 0;
        for (Mutator m : mutators) {
            sum += m.watches.pending();
        }
        return sum;
    }
}
