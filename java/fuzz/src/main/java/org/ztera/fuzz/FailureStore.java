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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Sources;
import org.ztera.fuzz.shrink.Case;
import org.ztera.kit.Folders;

/** Writes down what failed, so that a person can look at it and repeat it. */
final class FailureStore {
    private final Path directory;

    /** @param directory for all of one failure */
    FailureStore(Path directory) throws IOException {
        this.directory = Folders.fresh(directory);
    }

    /**
     * The failure as found: the programs up to the one that failed, and what its child left.
     *
     * @param again the commands that repeat the smallest, what was found, and the whole batch
     */
    void found(Case original, Failure failure, List<String> again) throws IOException {
        write(directory.resolve("found"), original, failure);
        Files.writeString(directory.resolve("README"), """
                %s

                found/      the programs as they were made, up to the one that failed, and what the JVM under test left
                smallest/   the same, minimised, if it failed again

                Both contain mode.txt, expected.txt and actual.txt. To repeat:
                  %s
                  %s
                or the whole batch, in the same modes:
                  %s
                """.formatted(failure, again.get(0), again.get(1), again.get(2)));
    }

    /** The smallest case. */
    void smallest(Case small, Failure failure) throws IOException {
        write(directory.resolve("smallest"), small, failure);
    }

    private static void write(Path to, Case some, Failure failure) throws IOException {
        Sources.of(some.programs()).write(to);
        Files.writeString(to.resolve("mode.txt"), some.mode() + "\n");
        Files.write(to.resolve("expected.txt"), failure.expected());
        Files.write(to.resolve("actual.txt"), failure.actual());
        if (Files.isDirectory(failure.directory())) {
            copyFiles(failure.directory(), Files.createDirectories(to.resolve("child")));
        }
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path p : files.filter(Files::isRegularFile).toList()) {
                Files.copy(p, to.resolve(p.getFileName()));
            }
        }
    }
}
