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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.ztera.H2;
import org.ztera.fuzz.program.Emitter;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.rt.Runner;
import org.ztera.kit.ClassPath;
import org.ztera.kit.uses.Use;

/**
 * Java source of programs, by class name, in the order in which they run.
 */
public record Sources(Map<String, String> byClass) {

    /** The class path of programs: this module, the kit and the API, wherever the driver has them from. */
    static final String CLASSPATH = ClassPath.of(Runner.class, Use.class, H2.class);

    /** Source that is no Java. */
    public static final class CompileException extends Exception {
        private static final long serialVersionUID = 1;

        CompileException(String message) {
            super(message);
        }
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }
    }

    public static Sources of(List<Program> programs) {
        Map<String, String> all = new LinkedHashMap<>();
        programs.forEach(p -> all.put(p.className(), Emitter.emit(p)));
        return new Sources(all);
    }

    /** The Java files of a folder, or one file. */
    public static Sources read(Path path) throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        try (Stream<Path> files = Files.isDirectory(path) ? Files.list(path) : Stream.of(path)) {
            for (Path f : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                all.put("fuzzed." + f.getFileName().toString().replace(".java", ""), Files.readString(f));
            }
        }
        return new Sources(all);
    }

    public void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (var e : byClass.entrySet()) {
            Files.writeString(directory.resolve(e.getKey().substring(e.getKey().lastIndexOf('.') + 1) + ".java"), e.getValue());
        }
    }

    /** Compiles all into a folder. */
    void compile(Path classes) throws CompileException, IOException {
        Files.createDirectories(classes);
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<Text> units = byClass.entrySet().stream().map(e -> new Text(e.getKey(), e.getValue())).toList();
        boolean ok = javac.getTask(null, null, problems, List.of("-nowarn", "-proc:none", "-g:source,lines", "-d", classes.toString(),
                "-cp", CLASSPATH), null, units).call();
        if (!ok) {
            throw new CompileException(problems.getDiagnostics().stream().filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
                    .map(d -> d.getSource().getName() + ":" + d.getLineNumber() + ": " + d.getMessage(Locale.ROOT))
                    .findFirst().orElse("no diagnostics"));
        }
    }
}
