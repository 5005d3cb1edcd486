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
package org.ztera.demo.query;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ztera.demo.index.FileRecord;
import org.ztera.demo.index.Position;

/** Finds the lines that two lists of positions have in common. */
final class CommonLines {
    private CommonLines() {
    }

    static void find(List<Position> first, List<Position> second, Hits hits) {
        Map<FileRecord, BitSet> lines = new HashMap<>();
        for (Position position : first) {
            lines.computeIfAbsent(position.file(), _ -> new BitSet()).set(position.line());
        }
        for (Position position : second) {
            BitSet inFile = lines.get(position.file());
            if (inFile != null && inFile.get(position.line())) {
                inFile.clear(position.line());
                hits.add(position.file().path(), position.line(), 0);
            }
        }
    }
}
