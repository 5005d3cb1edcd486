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
package org.ztera.jvmtests.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The resources that the kernel keeps for this process. */
record Footprint(long addressKib, long residentKib, long threads, long files) {
    /** Compiled code, metaspace and the C library's heap grow a little for a long time. */
    private static final long ADDRESS_SLACK_KIB = 32 << 10;
    private static final long RESIDENT_SLACK_KIB = 32 << 10;
    /** One that has just ended, and one that the VM starts late. */
    private static final long THREADS_SLACK = 2;

    static Footprint now() {
        try {
            List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
            return new Footprint(value(status, "VmSize:"), value(status, "VmRSS:"), value(status, "Threads:"), openFiles());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long value(List<String> status, String name) {
        String line = status.stream().filter(l -> l.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** Without the one of the directory that is being read. */
    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count() - 1;
        }
    }

    /** Fails if there is more now than there was, by more than can be explained. */
    void notMuchMoreThan(Footprint before) {
        boolean within = addressKib <= before.addressKib + ADDRESS_SLACK_KIB
                && residentKib <= before.residentKib + RESIDENT_SLACK_KIB
                && threads <= before.threads + THREADS_SLACK && files <= before.files;
        if (!within) {
            throw new AssertionError("the process has grown from " + before + " to " + this);
        }
    }
}
