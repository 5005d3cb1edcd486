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
package org.ztera.defaults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ztera.demo.tiers.BenchTiers;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Hints;

class DefaultsTest {
    private static final Pattern CHECKSUM = Pattern.compile("\"checksum\":\"(\\w+)\"");

    @ParameterizedTest
    @ValueSource(strings = {"text-index", "sql", "roads", "profiles", "rows", "groups", "neighbours", "records", "values", "documents", "grid", "triples",
        "rules"})
    void theSeedDecidesWhatIsFound(String name) throws Exception {
        assertEquals(checksum(name, 1), checksum(name, 1));
        assertNotEquals(checksum(name, 1), checksum(name, 2));
    }

    private static String checksum(String name, long seed) throws Exception {
        String report = BenchTiers.run(Defaults.program(name, Path.of("."), seed), new Groups(8 << 20, Hints.NONE)).toString();
        Matcher matcher = CHECKSUM.matcher(report);
        assertTrue(matcher.find(), report);
        return matcher.group(1);
    }
}
