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
package org.ztera.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class SizingTest {
    private static final long GIB = 1L << 30;

    /** The JVM's own tests read the same table. */
    @ParameterizedTest
    @CsvFileSource(resources = "/sizes.csv")
    void h2IsFourTimesTheHeapWhileReferencesStayShort(long heapMib, long h2Gib) {
        assertEquals(h2Gib * GIB, Sizing.defaultH2Size(heapMib << 20));
    }

    @Test
    void h2IsNoLargerThanTheJvmTakes() {
        assertEquals(4096 * GIB, Sizing.defaultH2Size(2000 * GIB));
    }

    @Test
    void theUsersOptionsStay() {
        String given = "-Dx=y -XX:H2Size=3g -XX:H2MemoryLimit=2g";
        assertEquals(given, Sizing.executorOptions(given, GIB, OptionalLong.of(5)));
    }

    @Test
    void missingOptionsAreAdded() {
        assertEquals("-XX:H2Size=4294967296", Sizing.executorOptions("", GIB, OptionalLong.empty()));
        assertEquals("-Dx=y -XX:H2Size=3g -XX:H2MemoryLimit=5", Sizing.executorOptions("-Dx=y -XX:H2Size=3g", GIB, OptionalLong.of(5)));
    }

    @Test
    void sizesAreReadAsTheJvmReadsThem() {
        assertEquals(3 * GIB, Sizing.h2Size("-XX:H2Size=1g -XX:H2Size=3G").getAsLong());
        assertEquals(512L << 20, Sizing.h2Size("-XX:H2Size=512m").getAsLong());
        assertEquals(4096, Sizing.h2Size("-XX:H2Size=4k").getAsLong());
        assertEquals(12345, Sizing.h2Size("'-XX:H2Size=12345'").getAsLong());
        assertEquals(2048 * GIB, Sizing.h2Size("-XX:H2Size=2t").getAsLong());
        assertTrue(Sizing.h2Size("-Xmx1g").isEmpty());
        assertThrows(IllegalArgumentException.class, () -> Sizing.h2Size("-XX:H2Size=big"));
    }
}
