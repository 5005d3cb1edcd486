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
package org.ztera.others.child;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.ztera.H2;

/**
 * Runs a program's {@code main} with full collections at allocation intervals, and writes down what happened when the
 * JVM ends, however the program ends it. Arguments: the report's file, the bytes from one collection to the next, the
 * program's main class, the program's arguments.
 */
public final class Launcher {
    private Launcher() {
    }

    public static void main(String[] args) throws Throwable {
        Path report = Path.of(args[0]).toAbsolutePath();
        GcEvery collector = GcEvery.start(Long.parseLong(args[1]));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(report, collector)));
        var main = Class.forName(args[2]).getMethod("main", String[].class);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, 3, args.length));
        } catch (InvocationTargetException e) {
            // A thread that the program left running must not turn its failure into a hang.
            e.getCause().printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private static void write(Path report, GcEvery collector) {
        H2.Stats h2 = H2.stats();
        var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        String text = "checks=" + Checks.count() + "\ncollections=" + collector.collections() + "\nmovedObjects="
                + h2.movedObjects() + "\nmovedBytes=" + h2.movedBytes() + "\nfaults=" + h2.faultCount() + "\nregionsFreed="
                + h2.regionsFreed() + "\ncpuMillis="
                + process.getProcessCpuTime() / 1_000_000 + "\n";
        try {
            Files.writeString(report, text);
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
