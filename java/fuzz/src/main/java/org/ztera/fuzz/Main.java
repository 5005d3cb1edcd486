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
import java.util.List;
import org.ztera.fuzz.gen.Generator;
import org.ztera.fuzz.program.Emitter;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Jdks;
import org.ztera.fuzz.run.Lab;
import org.ztera.kit.JavaHome;

/** The command. {@code --help} says what it can do. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        System.exit(run(args));
    }

    /** The exit status. */
    static int run(String... args) throws Exception {
        try {
            Options o = Options.parse(args);
            if (o.help) {
                System.out.println(Options.USAGE);
                return 0;
            }
            if (o.print != null) {
                System.out.print(Emitter.emit(Generator.program(o.print)));
                return 0;
            }
            return run(o);
        } catch (IllegalArgumentException e) {
            System.err.println("fuzz: " + e.getMessage() + "; --help says more");
            return 2;
        }
    }

    private static int run(Options o) throws Exception {
        Lab lab = new Lab(jdks(o), o.out.resolve("native"));
        if (o.replay != null) {
            List<Failure> failures = Replay.run(o, lab);
            return failures.isEmpty() ? 0 : 1;
        }
        System.out.println("fuzz: seed " + o.seed + ", " + o.how());
        Totals totals = new Campaign(o, lab).run();
        boolean nothingMoved = !o.self && totals.nothingMoved();
        if (nothingMoved) {
            System.out.println("fuzz: FAILURE no object has moved: nothing was tested");
        }
        List<String> leftOut = totals.leftOut();
        leftOut.forEach(use -> System.out.println("fuzz: FAILURE never " + use + ": that was not tested"));
        System.out.println("fuzz: the same again: " + o.again(totals.batches()));
        System.out.println(totals.summary());
        if (o.json != null) {
            Files.writeString(o.json, totals.json());
        }
        return totals.failures() == 0 && totals.programs() > 0 && !nothingMoved && leftOut.isEmpty() ? 0 : 1;
    }

    private static Jdks jdks(Options o) {
        JavaHome stock = new JavaHome(o.stock);
        return o.self ? Jdks.self(stock, o.flags) : new Jdks(stock, new JavaHome(o.view),
                o.debugView == null ? null : new JavaHome(o.debugView), false, o.flags);
    }
}
