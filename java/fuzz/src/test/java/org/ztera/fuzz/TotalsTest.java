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
package org.ztera.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ztera.fuzz.run.Mode;

class TotalsTest {
    private static Totals after(int programs, Map<String, Long> numbers) {
        Totals totals = new Totals(1);
        totals.done(programs, List.of(Mode.PLAIN), numbers);
        return totals;
    }

    @Test
    void whatManyProgramsNeverUseIsNamed() {
        Map<String, Long> numbers = Map.of("used ZLIB", 0L, "used PIPE", 2L, "used in H2 PIPE", 0L, "faults", 0L);
        assertEquals(List.of("used ZLIB", "used in H2 PIPE"), after(60, numbers).leftOut());
        assertEquals(List.of(), after(59, numbers).leftOut());
        assertEquals(List.of(), after(60, Map.of("used ZLIB", 1L)).leftOut());
    }
}
