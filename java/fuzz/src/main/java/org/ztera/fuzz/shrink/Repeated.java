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
package org.ztera.fuzz.shrink;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Lab;
import org.ztera.fuzz.run.Sources;
import org.ztera.kit.Folders;

/** Runs a case several times over, since a failure may need luck, and looks for a failure of one kind. */
public final class Repeated implements Oracle {
    private final Lab lab;
    private final Path directory;
    private final Failure.Kind kind;
    private final int repeat;
    private final int children;

    /**
     * @param kind that counts
     * @param repeat how often a child runs the programs
     * @param children how many are tried
     */
    public Repeated(Lab lab, Path directory, Failure.Kind kind, int repeat, int children) {
        this.lab = lab;
        this.directory = directory;
        this.kind = kind;
        this.repeat = repeat;
        this.children = children;
    }

    @Override
    public Failure failure(Case candidate) throws IOException, InterruptedException {
        Folders.fresh(directory);
        Lab.Prepared prepared;
        try {
            prepared = lab.prepare(Sources.of(candidate.programs()), directory);
        } catch (Sources.CompileException e) {
            return null;
        }
        if (!prepared.invalid().isEmpty()) {
            return kind == Failure.Kind.INVALID ? prepared.invalid().getFirst() : null;
        }
        for (int i = 0; i < children; i++) {
            List<Failure> failures = prepared.test(candidate.mode(), repeat, new TreeMap<>());
            for (Failure f : failures) {
                if (f.kind() == kind) {
                    return f;
                }
            }
        }
        return null;
    }
}
