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
package org.ztera.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Lab;
import org.ztera.fuzz.run.Mode;
import org.ztera.fuzz.run.Sources;
import org.ztera.kit.Folders;

/** Runs programs that lie in files: those of a failure, or a regression. */
final class Replay {
    private static final int MODES = 12;

    private Replay() {}

    /** @return what failed */
    static List<Failure> run(Options options, Lab lab) throws Exception {
        Sources sources = Sources.read(options.replay);
        if (sources.byClass().isEmpty()) {
            throw new IllegalArgumentException("no Java file in " + options.replay);
        }
        Lab.Prepared prepared = lab.prepare(sources, Folders.fresh(options.out.resolve("replay")));
        List<Failure> failures = new ArrayList<>(prepared.invalid());
        for (Mode mode : modes(options, lab)) {
            List<Failure> here = prepared.test(mode, options.repeat, new TreeMap<>());
            System.out.println("fuzz: " + (here.isEmpty() ? "passed in mode " + mode : "FAILURE " + here.getFirst()));
            failures.addAll(here);
        }
        System.out.println("fuzz: what the JVMs left is in " + options.out.resolve("replay"));
        return failures;
    }

    private static List<Mode> modes(Options options, Lab lab) throws Exception {
        Path file = options.replay.resolve("mode.txt");
        if (options.mode != null) {
            return List.of(options.mode);
        }
        return Files.exists(file) ? List.of(Mode.parse(Files.readString(file)))
                : Mode.spread(MODES, options.seed, lab.jdks().debugView() != null);
    }
}
