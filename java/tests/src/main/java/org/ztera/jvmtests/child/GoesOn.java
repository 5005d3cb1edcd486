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
package org.ztera.jvmtests.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fills H2 with data that do not compress. Then threads keep all that they get, and go on after each OutOfMemoryError,
 * as those of some servers do. In the end they drop it, and allocations succeed again. Argument: MiB that the process
 * may take.
 */
public final class GoesOn {
    private static final int MOVED = 1_800;
    private static final int THREADS = 4;
    private static final int ERRORS = 200;
    private static final int BYTES = 50_000;

    private GoesOn() {}

    public static void main(String[] args) {
        Child.main(() -> test(Long.parseLong(args[0])));
    }

    private static void test(long limit) throws InterruptedException, IOException {
        SplittableRandom random = new SplittableRandom(1);
        byte[][] moved = new byte[MOVED][];
        for (int i = 0; i < MOVED; i++) {
            moved[i] = array(random);
        }
        Child.move(moved, 1);
        AtomicInteger errors = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom own = random.split();
            threads.add(Thread.ofPlatform().start(() -> fill(own, errors)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Child.check(errors.get() >= ERRORS, "all had room");
        Child.check(peak() <= limit << 10, "it took " + peak() + " KiB");
        List<byte[]> small = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            small.add(array(random));
        }
        Child.equal(100, small.size(), "arrays");
    }

    private static void fill(SplittableRandom random, AtomicInteger errors) {
        List<byte[]> held = new ArrayList<>();
        while (errors.get() < ERRORS) {
            try {
                held.add(array(random));
            } catch (OutOfMemoryError e) {
                errors.incrementAndGet();
            }
        }
    }

    private static byte[] array(SplittableRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The most that the process ever had, in KiB. */
    private static long peak() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("/proc/self/status has no VmHWM");
    }
}
