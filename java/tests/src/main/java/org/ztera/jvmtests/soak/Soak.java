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
package org.ztera.jvmtests.soak;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.ztera.H2;
import org.ztera.jvmtests.child.H2Info;
import org.ztera.kit.uses.Stranger;
import org.ztera.kit.uses.Use;

/**
 * One round of the soak test: cycles of phases in which groups of data are born, are hot, grow cold while others are
 * hot, go to SSD, warm up and die, while things below H2 fail; and what is read is compared with a model. After each
 * cycle all is given up, and nothing may be left.
 *
 * <p>Arguments: seconds and seed. Exits with 0 if nothing was wrong. {@code soak.sh} runs it.
 */
public final class Soak {
    private static final int WORLDS = 2;
    private static final long PHASE_NANOS = 700_000_000L;
    /** Elsewhere all is read within seconds, also on a busy machine. */
    private static final long TIGHT_SCAN_NANOS = 10_000_000_000L;
    /** Cycles after which the process is as large as it will be. */
    private static final int WARM_UP = 1;

    private final long seed;
    private final long end;
    private final SplittableRandom random;
    private final World[] worlds = new World[WORLDS];
    private final ExecutorService threads = Executors.newFixedThreadPool(WORLDS);
    private final boolean nothingStays;
    /** Below H2 there is room for everything, also for what random moves keep. */
    private final boolean fits;
    private final boolean tight = Boolean.getBoolean("ztera.soak.tight");
    private final Map<Fault, Long> failures = new EnumMap<>(Fault.class);
    /**
     * The next failure while groups move, and in other phases. Buffers for moves are made once, so that comes
     * first.
     */
    private Iterator<Fault> whileMoving = List.of(Fault.NO_STAGING).iterator();
    private Iterator<Fault> whileUsing = Collections.emptyIterator();
    private Footprint first;
    private int cycles;

    private Soak(long seconds, long seed) {
        this.seed = seed;
        end = System.nanoTime() + seconds * 1_000_000_000L;
        random = new SplittableRandom(seed);
        Arrays.setAll(worlds, w -> new World(w, random.nextLong()));
        nothingStays = !ManagementFactory.getRuntimeMXBean().getInputArguments().contains("-XX:+H2Stress");
        fits = nothingStays && !tight;
    }

    public static void main(String[] args) {
        Soak soak = new Soak(Long.parseLong(args[0]), Long.parseLong(args[1]));
        System.out.println("SOAK seed " + soak.seed);
        Stranger.load(System.getProperty("ztera.soak.library"));
        try {
            soak.run();
        } catch (Throwable t) {
            System.out.println("SOAK FAILED seed " + soak.seed);
            t.printStackTrace(System.out);
            System.out.println(H2Info.read().json());
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
        System.out.println("SOAK PASSED seed " + soak.seed);
        System.exit(0);
    }

    private void run() throws Exception {
        // The JDK opens files for good when it first does some of it.
        for (Use use : Use.copies()) {
            if (Uses.ALL.contains(use)) {
                use.copy(new byte[9], new byte[9], 9);
            }
        }
        while (hasTime() || cycles <= WARM_UP) {
            int turns = random.nextInt(1, 4);
            do {
                turn();
            } while (--turns > 0 && hasTime());
            recovers();
            desert();
            cycles++;
        }
        if (failures.values().stream().allMatch(n -> n == 0)) {
            throw new AssertionError("nothing failed, so this was no test: " + failures);
        }
        H2Info info = H2Info.read();
        if (info.value("bd_reads") == 0 || info.value("bd_writes") == 0) {
            throw new AssertionError("the SSD was not used, so this was no test");
        }
        checkUses();
        System.out.println("SOAK cycles " + cycles + ", touched " + Arrays.stream(worlds).mapToLong(World::touched).sum()
                + ", units written to SSD " + info.value("bd_writes") + ", read " + info.value("bd_reads") + ", failures " + failures);
    }

    private boolean hasTime() {
        return System.nanoTime() - end < 0;
    }

    /** Each was made, also of what is in H2. */
    private static void checkUses() {
        for (Use use : Uses.ALL) {
            System.out.println("SOAK use " + use + " " + use.times() + ", in H2 " + use.timesOfOld());
            if (use.times() == 0 || use != Use.STRANGE_FAULT && use.timesOfOld() == 0) {
                throw new AssertionError(use + " was never made, or not in H2, so this was no test");
            }
        }
    }

    /** The life of some data. */
    private void turn() throws Exception {
        whileMoving = refilled(whileMoving);
        phase("grow", whileMoving.next(), World::grow);
        used("hot", world -> world.use(true, System.nanoTime() + PHASE_NANOS));
        used("cold", world -> world.use(false, System.nanoTime() + 2 * PHASE_NANOS));
        used("warm", world -> world.use(true, System.nanoTime() + PHASE_NANOS));
        used("uses", World::makeUses);
        used("scan", this::scan);
        used("die", world -> world.shrink(false));
        collect();
    }

    /**
     * Reads everything, but for a bounded time where file, pool and memory are full of data that cannot leave. No unit
     * that comes from SSD can stay there, so each word that is read may take a read of the file, and all take minutes.
     */
    private void scan(World world) {
        world.scan(System.nanoTime() + (tight ? TIGHT_SCAN_NANOS : Long.MAX_VALUE / 2));
    }

    private void used(String name, Consumer<World> work) throws Exception {
        whileUsing = refilled(whileUsing);
        phase(name, whileUsing.next(), work);
    }

    /** All faults in random order, if there is no next one. */
    private Iterator<Fault> refilled(Iterator<Fault> faults) {
        if (faults.hasNext()) {
            return faults;
        }
        List<Fault> all = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(all, new Random(random.nextLong()));
        return all.iterator();
    }

    /** One phase, in which something or nothing fails. */
    private void phase(String name, Fault fault, Consumer<World> work) throws Exception {
        fault.begin();
        long start = System.nanoTime();
        run(work);
        long times = fault.count();
        Fault.NONE.begin();
        failures.merge(fault, times, Long::sum);
        System.out.printf("SOAK %s, %s %d times, %.1f s%n", name, fault, times, (System.nanoTime() - start) / 1e9);
    }

    /** All worlds do their work; here, collections are the epochs by which they grow cold. */
    private void run(Consumer<World> work) throws Exception {
        List<Future<Void>> running = new ArrayList<>();
        for (World world : worlds) {
            running.add(threads.submit((Callable<Void>) () -> {
                Stranger.alone(Signals::disturb);
                work.accept(world);
                return null;
            }));
        }
        while (!running.stream().allMatch(Future::isDone)) {
            Thread.sleep(random.nextInt(50, 300));
            collect();
        }
        for (Future<Void> task : running) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new AssertionError("in a world", e.getCause());
            }
        }
    }

    private void collect() {
        System.gc();
    }

    /** With everything working again, what was kept in memory too long goes where it belongs. */
    private void recovers() throws Exception {
        run(World::grow);
        run(this::scan);
        if (fits) {
            Recovery.await();
        }
    }

    /** All is given up, and nothing stays behind. */
    private void desert() throws Exception {
        run(world -> world.shrink(true));
        collect();
        collect();
        int undead = Arrays.stream(worlds).mapToInt(World::undead).sum();
        if (nothingStays && undead > 0) {
            throw new AssertionError(undead + " groups that nothing reaches are alive");
        }
        if (nothingStays) {
            Beside.settle(worlds);
        }
        H2Info info = Books.settle(nothingStays);
        Footprint now = Footprint.now();
        System.out.println("SOAK books balance, " + now + ", faults " + H2.stats().faultCount() + ", pool "
                + info.value("mem_used_total") + ", file " + info.value("bd_used") + " of which is allocated " + SsdFile.allocated()
                + ", regions " + info.value("regions_used"));
        if (cycles == WARM_UP) {
            first = now;
        } else if (cycles > WARM_UP) {
            now.notMuchMoreThan(first);
        }
    }
}
