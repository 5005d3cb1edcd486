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
package org.ztera.monitor;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that happened to the second heap between two moments.
 *
 * @param kind what it was
 * @param bytes how many bytes it was of; 0 where they are not known
 * @param count how many objects, regions or errors
 * @param message the same in words
 */
record Change(Kind kind, long bytes, long count, String message) {
    /** All that may happen. */
    enum Kind {
        MOVE,
        RETURN,
        DEATH,
        PRESSURE,
        DECISION
    }

    /** All that happened from one moment to another. */
    static List<Change> between(Numbers before, Numbers after) {
        List<Change> changes = new ArrayList<>();
        long moved = grown("MovedBytes", before, after);
        if (moved > 0) {
            long objects = grown("MovedObjects", before, after);
            changes.add(new Change(Kind.MOVE, moved, objects, objects + " objects of " + moved + " bytes moved to H2"));
        }
        long returned = grown("ReturnedBytes", before, after);
        if (returned > 0) {
            changes.add(new Change(Kind.RETURN, returned, 0, returned + " bytes returned to H1"));
        }
        long died = grown("RegionsFreed", before, after);
        if (died > 0) {
            long bytes = died * after.value("RegionBytes");
            changes.add(new Change(Kind.DEATH, bytes, died, died + " regions of H2 died"));
        }
        addPressure(before, after, changes);
        after.decisions().stream().filter(decision -> !before.decisions().contains(decision))
                .forEach(decision -> changes.add(new Change(Kind.DECISION, 0, 1, decision)));
        return changes;
    }

    private static void addPressure(Numbers before, Numbers after, List<Change> changes) {
        long over = after.value("EngineOverLimitBytes");
        if (over > 0 && before.value("EngineOverLimitBytes") == 0) {
            changes.add(new Change(Kind.PRESSURE, over, 0, "the pool is full: " + over + " bytes more are resident than should be"));
        }
        long errors = grown("EngineBdErrors", before, after);
        if (errors > 0) {
            changes.add(new Change(Kind.PRESSURE, 0, errors, errors + " reads or writes of the SSD failed"));
        }
    }

    private static long grown(String name, Numbers before, Numbers after) {
        return after.value(name) - before.value(name);
    }
}
