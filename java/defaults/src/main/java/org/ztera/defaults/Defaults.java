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
package org.ztera.defaults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ztera.H2;
import org.ztera.demo.tiers.BenchTiers;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;
import org.ztera.demo.tiers.Workload;

/**
 * The program that {@code ztera bench defaults} and {@code ztera bench plain} run inside the JVM: one program from its
 * beginning to its end. It tags what it builds and asks for it to be moved, or does not, and does nothing else for the
 * second heap's sake. Prints what {@link BenchTiers} prints.
 */
public final class Defaults {
    private Defaults() {
    }

    /**
     * Arguments: program, MiB of live data, seed, the program's input. Then {@code load} to ask no queries, {@code
     * plain} to know nothing of a second heap.
     */
    public static void main(String[] args) throws IOException {
        List<String> words = List.of(args).subList(4, args.length);
        Workload all = program(args[0], Path.of(args[3]), Long.parseLong(args[2]));
        Workload program = words.contains("load") ? new LoadOnly(all) : all;
        Hints hints = words.contains("plain") ? Hints.NONE : Hints.tags(H2::move);
        System.out.println(BenchTiers.run(program, new Groups(Long.parseLong(args[1]) << 20, hints)));
        // Threads of a library must not keep the program.
        System.exit(0);
    }

    static Workload program(String name, Path input, long seed) {
        return switch (name) {
            case "rows" -> new Rows(seed);
            case "groups" -> new BornAndDie(seed);
            case "neighbours" -> new Neighbours(seed);
            case "text-index" -> new TextIndex(seed);
            case "sql" -> new Sql(seed);
            case "roads" -> new Roads(seed);
            case "profiles" -> new Profiles(seed);
            case "records" -> new Records(seed);
            case "values" -> new Values(seed);
            case "documents" -> new Documents(seed);
            case "grid" -> new Grid(seed);
            case "triples" -> new Triples(seed);
            case "rules" -> new Rules(seed);
            default -> BenchTiers.workload(name, input, seed);
        };
    }
}
