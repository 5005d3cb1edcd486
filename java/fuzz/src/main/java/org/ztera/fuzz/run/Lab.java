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
package org.ztera.fuzz.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ztera.fuzz.rt.Runner;
import org.ztera.fuzz.run.Failure.Kind;
import org.ztera.kit.Child;
import org.ztera.kit.JavaHome;
import org.ztera.kit.Jvm;
import org.ztera.kit.Tools;
import org.ztera.kit.uses.Use;

/** Compiles programs and runs them, first on the reference, then as often as wanted in a mode under test. */
public final class Lab {
    /** Of both sides. A trace may ask whether an implicit exception has a stack. */
    private static final List<String> COMMON = List.of("-XX:-OmitStackTraceInFastThrow", "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=hs_err.log", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    /** Plenty of heap and no need to collect. */
    private static final List<String> REFERENCE =
            List.of("-XX:+UseParallelGC", "-Xmx1g", "-Xms256m", "-Xmn200m", "-XX:ParallelGCThreads=1", "-XX:+DisableExplicitGC",
                    "-Dfuzz.reference=true");

    private final Jdks jdks;
    private final Path library;

    /** @param directory for what all runs share */
    public Lab(Jdks jdks, Path directory) throws IOException, InterruptedException {
        this.jdks = jdks;
        this.library = compile(jdks.stock(), directory.toAbsolutePath());
    }

    private static Path compile(JavaHome jdk, Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path library = directory.resolve("libfuzz.so");
        Tools.compileC(jdk, source(Lab.class, "/org/ztera/fuzz/fuzz.c", directory), library,
                source(Use.class, "/org/ztera/kit/uses/uses.c", directory).toString(), "-fPIC", "-shared", "-pthread");
        return library;
    }

    private static Path source(Class<?> owner, String resource, Path directory) throws IOException {
        Path source = directory.resolve(Path.of(resource).getFileName());
        try (InputStream in = owner.getResourceAsStream(resource)) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        return source;
    }

    public Jdks jdks() {
        return jdks;
    }

    /** How a child ended, and what it wrote. */
    private record Ended(Child.End how, TraceFile trace) {
        /** Said where a program had not ended. */
        Kind kind() {
            return how.hung() ? Kind.HUNG : Kind.DIED;
        }
    }

    /** Programs that are compiled and whose right traces are known. */
    public final class Prepared {
        private final Path directory;
        private final List<String> programs;
        private final Map<String, List<String>> expected = new LinkedHashMap<>();
        private final List<Failure> invalid = new ArrayList<>();

        private Prepared(Path directory, List<String> programs) {
            this.directory = directory;
            this.programs = programs;
        }

        private void reference() throws IOException, InterruptedException {
            Path run = Files.createDirectories(directory.resolve("reference"));
            Ended end = child(new Jvm(jdks.stock()).flags(REFERENCE), run, programs, 1);
            for (TraceFile.Run r : end.trace().runs()) {
                if (r.ended() && !r.failed()) {
                    expected.put(r.program(), r.lines());
                } else {
                    invalid.add(new Failure(Kind.INVALID, r.program(), Mode.PLAIN, List.of(), r.lines(), run));
                }
            }
            if (invalid.isEmpty() && (!end.how().isGood() || expected.size() != programs.size())) {
                invalid.add(new Failure(Kind.INVALID, "(none)", Mode.PLAIN, List.of(),
                        List.of("the reference ended with code " + end.how().exitCode()), run));
            }
        }

        /** A failure on the reference already. */
        public List<Failure> invalid() {
            return invalid;
        }

        /**
         * Runs all programs, one after the other in one JVM, so many times.
         *
         * @param totals gets the numbers that the child reports, added to what is there
         * @return at most one failure per program
         */
        public List<Failure> test(Mode mode, int repeat, Map<String, Long> totals) throws IOException, InterruptedException {
            Path run = Files.createDirectories(directory.resolve("tested-" + mode));
            Ended end = child(tested(mode, run), run, List.copyOf(expected.keySet()), repeat);
            end.trace().totals().forEach((name, value) -> totals.merge(name, value, Long::sum));
            Map<String, Failure> failures = new LinkedHashMap<>();
            for (TraceFile.Run r : end.trace().runs()) {
                Kind kind = judge(r, end);
                if (kind != null) {
                    failures.putIfAbsent(r.program(), new Failure(kind, r.program(), mode, expected.get(r.program()), r.lines(), run));
                }
            }
            int done = end.trace().runs().size();
            int wanted = expected.size() * repeat;
            if (failures.isEmpty() && !(end.how().isGood() && done == wanted)) {
                String last = done == 0 ? "(none)" : end.trace().runs().getLast().program();
                failures.put(last, new Failure(end.kind(), last, mode, List.of(),
                        List.of("ended with code " + end.how().exitCode() + " after " + done + " of " + wanted + " runs"), run));
            }
            return List.copyOf(failures.values());
        }

        private Kind judge(TraceFile.Run r, Ended end) {
            if (!r.ended()) {
                return end.kind();
            }
            if (r.failed()) {
                return Kind.CHECK;
            }
            return r.lines().equals(expected.get(r.program())) ? null : Kind.DIFFERS;
        }

        private Ended child(Jvm jvm, Path run, List<String> names, int repeat) throws IOException, InterruptedException {
            Path trace = run.resolve("trace.txt").toAbsolutePath();
            Files.writeString(trace, "");
            List<String> arguments = new ArrayList<>(List.of(trace.toString(), directory.resolve("classes").toString(),
                    library.toString(), Integer.toString(repeat)));
            arguments.addAll(names);
            jvm.flags(COMMON).main(Sources.CLASSPATH, Runner.class.getName(), arguments);
            Files.writeString(run.resolve("command.txt"), String.join(" ", jvm.command()) + "\n");
            Child.End how = jvm.start(run).await(new Progress(trace));
            return new Ended(how, TraceFile.read(trace));
        }
    }

    private Jvm tested(Mode mode, Path run) {
        Jvm jvm = new Jvm(jdks.tested(mode)).flags(mode.flags(run.toAbsolutePath()));
        return (jdks.isStock() ? jvm.withoutH2() : jvm).flags(jdks.extraFlags());
    }

    /**
     * Compiles programs and runs them on the reference.
     *
     * @param directory for all that these programs leave
     */
    public Prepared prepare(Sources sources, Path directory) throws Sources.CompileException, IOException, InterruptedException {
        Path absolute = Files.createDirectories(directory).toAbsolutePath();
        sources.compile(absolute.resolve("classes"));
        Prepared prepared = new Prepared(absolute, List.copyOf(sources.byClass().keySet()));
        prepared.reference();
        return prepared;
    }
}
