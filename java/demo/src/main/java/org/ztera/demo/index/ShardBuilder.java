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
package org.ztera.demo.index;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.function.LongConsumer;
import org.ztera.demo.source.ShardPlan;
import org.ztera.demo.source.SourceFile;

/** Reads the files of a part of the tree and builds their shard. One thread at a time. */
public final class ShardBuilder {
    private final TrigramIndex.Scratch scratch = new TrigramIndex.Scratch();

    /**
     * @param label the shard's label
     * @param bytesRead is told the size of each file after it was read
     */
    public Shard build(ShardPlan.Part part, long label, LongConsumer bytesRead) throws IOException {
        Shard shard = new Shard(label);
        for (SourceFile file : part.files()) {
            String text = new String(Files.readAllBytes(file.file()), StandardCharsets.UTF_8);
            shard.add(new FileRecord(copyOf(file.name()), text), scratch);
            bytesRead.accept(file.bytes());
        }
        shard.complete(scratch);
        return shard;
    }

    /**
     * The list of source files lives as long as the program; if a shard shared a string with it, part of
     * the shard would too.
     */
    private static String copyOf(String name) {
        return new String(name.toCharArray());
    }
}
