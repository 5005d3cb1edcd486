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
package org.ztera;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Without a second heap the API checks its arguments and does nothing else. */
class H2OnStockJvmTest {
    private static final Object ROOT = new Object();

    @Test
    void isDisabled() {
        assertFalse(H2.isEnabled());
    }

    @Test
    void callsDoNothing() {
        H2.tag(ROOT, 0);
        H2.tag(ROOT, Long.MAX_VALUE);
        H2.move(0);
        H2.moveNow(0);
        H2.group("a").tag(ROOT);
        H2.group("a").move();
        assertFalse(H2.contains(ROOT));
        assertFalse(H2.contains(null));
    }

    @Test
    void noCallMakesACollection() {
        long before = collections();
        H2.tag(ROOT, 3);
        H2.moveNow(3);
        H2.group("three").moveNow();
        H2.collect();
        assertEquals(before, collections());
    }

    @Test
    void statisticsAreZero() {
        H2.Stats stats = H2.stats();
        assertSame(H2.Stats.NONE, stats);
        assertEquals(Set.of(0L), Set.copyOf(stats.byName().values()));
        assertEquals(0.0, stats.compressionRatio());
    }

    /** Each number has a method, which gives that number and no other one. */
    @Test
    void statisticsAreCalledAsTheirMethods() throws ReflectiveOperationException {
        Constructor<H2.Stats> told = H2.Stats.class.getDeclaredConstructor(long[].class);
        told.setAccessible(true);
        int count = H2.Stats.NONE.byName().size();
        H2.Stats stats = told.newInstance(LongStream.rangeClosed(1, count + 5).toArray());
        for (Map.Entry<String, Long> number : stats.byName().entrySet()) {
            assertEquals(number.getValue(), H2.Stats.class.getMethod(number.getKey()).invoke(stats), number.getKey());
        }
        assertEquals(LongStream.rangeClosed(1, count).boxed().toList(), List.copyOf(stats.byName().values()));
        assertEquals(stats, told.newInstance(LongStream.rangeClosed(1, count).toArray()));
        assertEquals(0, told.newInstance(new long[count - 1]).dueBytes(), "an older JVM lacks the last");
    }

    @Test
    void argumentsAreChecked() {
        assertThrows(NullPointerException.class, () -> H2.tag(null, 1));
        assertThrows(IllegalArgumentException.class, () -> H2.tag(ROOT, -1));
        assertThrows(IllegalArgumentException.class, () -> H2.move(-1));
        assertThrows(IllegalArgumentException.class, () -> H2.moveNow(Long.MIN_VALUE));
        assertDoesNotThrow(() -> H2.move(Long.MAX_VALUE));
        assertThrows(NullPointerException.class, () -> H2.group(null));
        assertThrows(IllegalArgumentException.class, () -> H2.group(""));
        assertThrows(NullPointerException.class, () -> H2.group("a").tag(null));
        assertThrows(IllegalArgumentException.class, () -> H2.group("a").part(-1));
    }

    private static long collections() {
        return java.lang.management.ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !bean.getName().contains("Young"))
                .mapToLong(bean -> bean.getCollectionCount())
                .sum();
    }
}
