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
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * Somebody else fills the disk below H2 while this runs. Data that do not compress then fill H2 and H1, until an
 * OutOfMemoryError ends it. The argument is a file to make on that disk, which takes all that is free there.
 */
public final class FullSsd {
    private static final int BYTES = 100_000;
    private static final int ARRAYS = 50;
    private static final int MOST_GROUPS = 100;

    private static final List<byte[][]> GROUPS = new ArrayList<>();

    private FullSsd() {}

    public static void main(String[] args) {
        Child.main(() -> {
            fill(Path.of(args[0]));
            boolean isFull = false;
            try {
                for (int g = 0; g < MOST_GROUPS; g++) {
                    add(g);
                }
            } catch (OutOfMemoryError expected) {
                isFull = true;
            }
            // Where nothing has room, reading all of it would take minutes. H2Full reads what it has.
            GROUPS.clear();
            Child.check(isFull, "an OutOfMemoryError");
        });
    }

    private static void add(int g) {
        byte[][] group = new byte[ARRAYS][];
        for (int i = 0; i < ARRAYS; i++) {
            group[i] = Graphs.bytes(BYTES, g * 100L + i);
        }
        H2.tag(group, g);
        GROUPS.add(group);
        H2.move(g);
    }

    private static void fill(Path file) {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            System.out.println("FILLED " + full.getMessage());
        }
    }
}
