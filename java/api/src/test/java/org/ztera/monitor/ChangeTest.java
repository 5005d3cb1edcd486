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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The monitor understands the VM's answers, and sees what changed. */
class ChangeTest {
    private static final Numbers BEFORE = Numbers.of("""
            {"enabled":true,"backing":"tier","region_bytes":65536,"regions_freed":2,"moved_objects":5,"moved_bytes":500,
            "last_move_seconds":0.250000,"memory":{"h1_bytes":7},"engine":{"bd_errors":1,"over_limit_bytes":0},
            "decisions":[{"uptime_seconds":1.500,"reason":"Memory: more for the pool"}]}
            """);

    @Test
    void eachNumberIsAnAttribute() {
        assertEquals(7L, BEFORE.value("MemoryH1Bytes"));
        assertEquals(500L, BEFORE.value("MovedBytes"));
        assertEquals(0L, BEFORE.value("EngineOfALaterVm"));
        assertEquals(0.25, BEFORE.values().get("LastMoveSeconds"));
        assertEquals("tier", BEFORE.values().get("Backing"));
        assertEquals(true, BEFORE.values().get("Enabled"));
        assertArrayEquals(new String[] {"1.500s: Memory: more for the pool"}, (String[]) BEFORE.values().get("Decisions"));
    }

    @Test
    void faultsAreSumsOfTheirTimes() {
        Numbers numbers = Numbers.of("""
                {"faults":[{"tier":"memory","fault_ns":{"sum":0,"buckets":[]}},
                {"tier":"pool","fault_ns":{"sum":5100,"buckets":[[96,3],[2048,2]]}}]}
                """);
        assertEquals(0L, numbers.value("FaultMemoryCount"));
        assertEquals(5L, numbers.value("FaultPoolCount"));
        assertEquals(5100L, numbers.value("FaultPoolNs"));
    }

    @Test
    void whatChangedIsTold() {
        Numbers after = Numbers.of("""
                {"region_bytes":65536,"regions_freed":5,"moved_objects":8,"moved_bytes":900,"returned_bytes":40,
                "engine":{"bd_errors":3,"over_limit_bytes":4096},
                "decisions":[{"uptime_seconds":1.500,"reason":"Memory: more for the pool"},
                {"uptime_seconds":2.000,"reason":"H2Path=/a \\"b\\" refuses writes"}]}
                """);
        assertEquals(List.of(
                new Change(Change.Kind.MOVE, 400, 3, "3 objects of 400 bytes moved to H2"),
                new Change(Change.Kind.RETURN, 40, 0, "40 bytes returned to H1"),
                new Change(Change.Kind.DEATH, 3 * 65536, 3, "3 regions of H2 died"),
                new Change(Change.Kind.PRESSURE, 4096, 0, "the pool is full: 4096 bytes more are resident than should be"),
                new Change(Change.Kind.PRESSURE, 0, 2, "2 reads or writes of the SSD failed"),
                new Change(Change.Kind.DECISION, 0, 1, "2.000s: H2Path=/a \"b\" refuses writes")),
                Change.between(BEFORE, after));
    }

    @Test
    void whereNothingChangedNothingIsTold() {
        assertEquals(List.of(), Change.between(BEFORE, BEFORE));
    }

    @Test
    void aStockVmHasNoMonitor() {
        assertFalse(H2Monitor.start());
    }
}
