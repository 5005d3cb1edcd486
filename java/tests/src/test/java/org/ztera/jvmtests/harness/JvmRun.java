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
package org.ztera.jvmtests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ztera.H2;
import org.ztera.jvmtests.child.Child;
import org.ztera.kit.ClassPath;
import org.ztera.kit.Folders;
import org.ztera.kit.Jvm;

/**
 * One child VM: what it is given, and how it is run.
 *
 * <p>By default a child has a heap of 128 MiB with a young generation of 16 MiB, an H2 of 256 MiB in regions
 * of 1 MiB, and verifies H2 after each collection. It runs in a directory of its own below the build
 * directory, where its log, dumps and crash reports stay.
 */
public final class JvmRun {
    private static final AtomicInteger SEQUENCE = new AtomicInteger();

    private final Setup setup;
    private final Jvm jvm;
    private final List<String> arguments = new ArrayList<>();
    private boolean h2 = true;
    private String mainClass = "-version";
    private Path directory;
    private Class<?>[] libraries = {};

    private JvmRun(Setup setup) {
        this.setup = setup;
        this.jvm = new Jvm(setup.jdk().home());
        flag("-Xmx128m", "-Xmn16m", "-XX:-CreateCoredumpOnCrash", "-XX:+UnlockDiagnosticVMOptions");
        jvm.flags(setup.oops().flags());
        if (Jdk.STOCK) {
            flag("-Dztera.stock=true", "-XX:+UseParallelGC");
        } else {
            flag("-XX:H2Size=256m", "-XX:H2RegionSize=1m", "-XX:+H2Verify", "-Xlog:gc*,gc+h2*=debug:file=gc.log");
        }
    }

    /** A child with the usual flags for a setup. */
    public static JvmRun of(Setup setup) {
        return new JvmRun(setup);
    }

    /** Without any flag of H2. */
    public JvmRun withoutH2() {
        jvm.withoutH2();
        h2 = false;
        return this;
    }

    /** Adds VM flags; one that was given before is replaced. Flags of H2 are left out on a stock JVM. */
    public JvmRun flag(String... more) {
        jvm.flags(Stream.of(more).filter(flag -> !Jdk.STOCK || !Jvm.isOfH2(flag)).toList());
        return this;
    }

    /** Takes a flag away that is set by default here, by its name without sign and value. */
    public JvmRun withoutFlag(String name) {
        jvm.withoutFlag(name);
        return this;
    }

    /** The program. */
    public JvmRun main(Class<?> main, String... args) {
        mainClass = main.getName();
        arguments.addAll(List.of(args));
        return this;
    }

    /** Adds what has these classes to the class path. */
    public JvmRun with(Class<?>... more) {
        libraries = more;
        return this;
    }

    /** Has another program start the VM, which is what follows the program's own arguments. */
    public JvmRun through(Object... program) {
        jvm.through(Stream.of(program).map(Object::toString).toList());
        return this;
    }

    /** Runs {@code -version} instead of a program. */
    public JvmRun version() {
        mainClass = "-version";
        return this;
    }

    /** The directory the child will run in; made when first asked for. */
    public Path directory() {
        if (directory == null) {
            String name = mainClass.substring(mainClass.lastIndexOf('.') + 1);
            directory = Path.of(System.getProperty("ztera.tests.dir", "target/runs"))
                    .resolve("%03d-%s-%s".formatted(SEQUENCE.incrementAndGet(), name, setup));
            try {
                Folders.fresh(directory);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return directory;
    }

    /** Starts the child and lets it run. */
    public JvmProcess start() {
        return new JvmProcess(command(), directory());
    }

    /** Runs the child to its end. */
    public JvmResult run() {
        return start().await();
    }

    private List<String> command() {
        if (h2 && !Jdk.STOCK && setup.backing() == Backing.FILE) {
            flag("-XX:H2Backing=file", "-XX:H2Path=" + directory().toAbsolutePath());
        }
        Class<?>[] needed = Stream.concat(Stream.of(Child.class, H2.class), Stream.of(libraries)).toArray(Class<?>[]::new);
        return jvm.flag("--enable-native-access=ALL-UNNAMED").main(ClassPath.of(needed), mainClass, arguments).command();
    }
}
