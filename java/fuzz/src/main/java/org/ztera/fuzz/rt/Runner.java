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
package org.ztera.fuzz.rt;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.ztera.H2;
import org.ztera.kit.uses.Stranger;

/**
 * The child JVM's main class: runs programs one after the other, each in a class loader of its own, and writes their
 * traces. Arguments: trace file, folder with the programs' classes, native library, how often to run them all, and the
 * programs' names. A program that fails does not keep the others from running.
 */
public final class Runner {
    private final Trace trace;
    private final URL[] classes;
    private final boolean awaitDeaths = Boolean.getBoolean("fuzz.deaths");

    private Runner(Trace trace, Path classes) throws IOException {
        this.trace = trace;
        this.classes = new URL[] {classes.toUri().toURL()};
    }

    public static void main(String[] args) throws Throwable {
        Natives.load(args[2]);
        Stranger.load(args[2]);
        try (OutputStream out = new FileOutputStream(args[0])) {
            Trace trace = new Trace(out);
            Runner runner = new Runner(trace, Path.of(args[1]));
            List<String> programs = Arrays.asList(args).subList(4, args.length);
            for (int i = Integer.parseInt(args[3]); i > 0; i--) {
                for (String program : programs) {
                    runner.run(program);
                    Plant.afterAProgram();
                }
            }
            totals(trace);
        }
        System.exit(0);
    }

    private void run(String name) throws IOException {
        trace.begin(name);
        try (URLClassLoader loader = new URLClassLoader(classes, Runner.class.getClassLoader())) {
            Fuzz fuzz = Fuzz.begin(trace);
            FuzzProgram program = (FuzzProgram) loader.loadClass(name).getDeclaredConstructor().newInstance();
            try {
                program.run();
                fuzz.checksum(program);
            } finally {
                Fuzz.end(awaitDeaths);
            }
            trace.end(name);
        } catch (Throwable t) {
            trace.failed(t);
        }
    }

    private static void totals(Trace trace) {
        H2.Stats s = H2.stats();
        trace.total("moved objects", s.movedObjects());
        trace.total("moved KiB", s.movedBytes() >> 10);
        trace.total("regions freed", s.regionsFreed());
        trace.total("faults", s.faultCount());
        Uses.totals(trace);
        trace.total("cells reported dead", Deaths.reported());
        trace.total("classes unloaded", ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount());
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            trace.total(gc.getName().contains("Scavenge") ? "young collections" : "full collections", gc.getCollectionCount());
        }
    }
}
