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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.ztera.kit.Tools;

/** Native code of the tests, compiled when first needed. */
public final class NativeLibrary {
    /** Files that are compiled: another test may have loaded one, so it must not be written again. */
    private static final Map<String, Path> COMPILED = new HashMap<>();

    private NativeLibrary() {}

    /** The library of {@code org.ztera.jvmtests.child.NativeHeap}. */
    public static Path heapAgent() {
        return compile("heapagent", "libheapagent.so", "-fPIC", "-shared");
    }

    /** A library that takes SIGBUS, or blocks it: when it is called, or else at once, while it is loaded. */
    public static Path signals(boolean atOnce) {
        return atOnce ? compile("signals", "libsignals-at-once.so", "-fPIC", "-shared", "-pthread", "-DTAKES_AT_ONCE")
                : compile("signals", "libsignals.so", "-fPIC", "-shared", "-pthread");
    }

    /** A program that runs another, to which the kernel then refuses userfaultfd. */
    public static Path withoutUserfaultfd() {
        return compile("without_userfaultfd", "without_userfaultfd");
    }

    private static synchronized Path compile(String name, String result, String... options) {
        return COMPILED.computeIfAbsent(result, file -> compileNow(name, file, options));
    }

    private static Path compileNow(String name, String result, String... options) {
        Path source = Path.of(System.getProperty("ztera.tests.native", "src/test/native")).resolve(name + ".c");
        try {
            Path directory = Files.createDirectories(
                    Path.of(System.getProperty("ztera.tests.dir", "target/runs")).toAbsolutePath().resolve("native"));
            Path binary = directory.resolve(result);
            Tools.compileC(Jdk.RELEASE.home(), source, binary, options);
            return binary;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
