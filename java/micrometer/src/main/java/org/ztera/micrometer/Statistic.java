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
package org.ztera.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One of the VM's numbers, as the table {@code statistics.tsv} defines it, which the engine's definitions make.
 *
 * @param attribute the name of the MBean's attribute
 * @param meter the name of the meter
 * @param isCounter whether it only grows
 * @param unit the meter's base unit; null for what is merely counted
 * @param perUnit how many of the attribute make one of that unit
 * @param meaning one sentence
 */
record Statistic(String attribute, String meter, boolean isCounter, String unit, double perUnit, String meaning) {
    private static final String TABLE = "statistics.tsv";

    /** The whole table. */
    static List<Statistic> all() {
        try (BufferedReader table = new BufferedReader(
                new InputStreamReader(Statistic.class.getResourceAsStream(TABLE), StandardCharsets.UTF_8))) {
            return table.lines().map(Statistic::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Statistic of(String line) {
        String[] cells = line.split("\t", -1);
        String unit = cells[3].isEmpty() ? null : cells[3];
        return new Statistic(cells[0], cells[1], cells[2].equals("counter"), unit, Double.parseDouble(cells[4]), cells[5]);
    }

    /** Whether this VM has it, now or later. */
    boolean isTold(Bean bean) {
        return bean.hasTiers() || !(attribute.startsWith("Engine") || attribute.startsWith("Memory"));
    }

    void register(Bean bean, Tags tags, MeterRegistry registry) {
        if (isCounter) {
            FunctionCounter.builder(meter, bean, it -> it.number(attribute, 0) / perUnit)
                    .baseUnit(unit).description(meaning).tags(tags).register(registry);
        } else {
            Gauge.builder(meter, bean, it -> it.number(attribute, Double.NaN) / perUnit)
                    .baseUnit(unit).description(meaning).tags(tags).register(registry);
        }
    }
}
