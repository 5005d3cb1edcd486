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
package org.ztera.demo.tiers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ztera.demo.Json;

/** The bytes that this process has read from disks and written to them, as the kernel counts it. */
final class ProcessIo {
    private static final Path FILE = Path.of("/proc/self/io");

    private ProcessIo() {
    }

    /** Both are zero where the kernel does not count. */
    static Json json() throws IOException {
        String counters = Files.isReadable(FILE) ? Files.readString(FILE) : "";
        return new Json()
                .put("read_bytes", value(counters, "read_bytes: "))
                .put("write_bytes", value(counters, "write_bytes: "));
    }

    private static long value(String counters, String name) {
        return counters.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length())))
                .findFirst()
                .orElse(0);
    }
}
