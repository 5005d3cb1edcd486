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
package org.ztera.demo.off;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** javac, within this JVM, compiles classes of java.base, in place of those that the JDK has. */
final class Compilation implements Work {
    private final Path patch;
    private final List<Path> files;

    /**
     * @param patch a directory of packages of java.base
     * @param files what there is in it
     */
    Compilation(Path patch, List<Path> files) {
        this.patch = patch;
        this.files = files;
    }

    @Override
    public long iterate(int number) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of("-proc:none", "-nowarn", "--patch-module", "java.base=" + patch);
        try (StandardJavaFileManager standard = javac.getStandardFileManager(null, null, null);
                Sums sums = new Sums(standard)) {
            var sources = standard.getJavaFileObjectsFromPaths(files);
            if (!javac.getTask(messages, sums, null, options, null, sources).call()) {
                throw new IllegalStateException("javac failed: " + messages);
            }
            return sums.sum;
        }
    }

    /** Takes the classes, and keeps the sum of their checksums, in whichever order they come. */
    private static final class Sums extends ForwardingJavaFileManager<JavaFileManager> {
        private long sum;

        Sums(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("class:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    CRC32 crc = new CRC32();
                    return new CheckedOutputStream(OutputStream.nullOutputStream(), crc) {
                        @Override
                        public void close() throws IOException {
                            super.close();
                            sum += crc.getValue();
                        }
                    };
                }
            };
        }
    }
}
