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
package org.ztera.jvmtests.child;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ztera.H2;

/**
 * Loads more than memory while the ordinary heap and what lies beside both heaps leave H2 hardly any. The process used
 * to take more than its limit, as H2 had a share of its own in any case.
 */
public final class MuchBeside {
    private static final int DIRECT = 80 << 20;
    private static final int GROUPS = 150;
    private static final int ARRAYS = 20;
    private static final int BYTES = 100_000;

    private static List<byte[][]> groups = new ArrayList<>();
    private static ByteBuffer direct;

    private MuchBeside() {}

    public static void main(String[] args) {
        Child.main(MuchBeside::test);
    }

    private static void test() throws IOException {
        direct = ByteBuffer.allocateDirect(DIRECT);
        for (int g = 0; g < GROUPS; g++) {
            groups.add(new byte[ARRAYS][]);
            H2.tag(groups.get(g), g);
            H2.move(g);
            Random random = new Random(g);
            for (int i = 0; i < ARRAYS; i++) {
                groups.get(g)[i] = new byte[BYTES];
                random.nextBytes(groups.get(g)[i]);
            }
        }
        if (Child.h2()) {
            long limit = H2Info.read().value("limit_bytes");
            long most = status("VmHWM:") - status("RssFile:");
            Child.check(most <= limit, most + " bytes in memory, with a limit of " + limit);
        }
        for (int g = 0; g < GROUPS; g++) {
            check(groups.get(g), new Random(g));
        }
        Child.equal(DIRECT, direct.capacity(), "bytes beside both heaps");
    }

    private static void check(byte[][] group, Random random) {
        byte[] expected = new byte[BYTES];
        for (byte[] array : group) {
            random.nextBytes(expected);
            Child.check(Arrays.equals(expected, array), "array");
        }
    }

    /** Bytes. The kernel can drop those of files, and notes the most that there was, in a collection, too. */
    private static long status(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("the kernel does not tell " + name);
    }
}
