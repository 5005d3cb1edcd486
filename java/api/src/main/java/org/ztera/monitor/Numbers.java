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

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;
import org.ztera.H2;

/** The VM's numbers of its second heap at one moment, under the names of the MBean's attributes. */
final class Numbers {
    private final SortedMap<String, Object> values = new TreeMap<>();

    private Numbers(Map<String, Object> told) {
        told.forEach(this::add);
    }

    /** As it is now. Takes no longer the more the heap holds. */
    static Numbers read() {
        Object[] arguments = {new String[] {"-labels=false", "json"}};
        String[] signature = {String[].class.getName()};
        try {
            Numbers numbers = of((String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcH2Info", arguments, signature));
            numbers.values.putIfAbsent("DueBytes", H2.stats().dueBytes()); // an older VM's answer lacks it
            return numbers;
        } catch (JMException e) {
            throw new IllegalStateException("the VM does not answer GC.h2_info", e);
        }
    }

    /** Of an answer. */
    static Numbers of(String json) {
        return new Numbers(Json.object(json));
    }

    private void add(String name, Object value) {
        if (value instanceof Map<?, ?> part) {
            part.forEach((inner, number) -> values.put(camel(name) + camel((String) inner), number));
        } else if (name.equals("decisions")) {
            values.put(camel(name), ((List<?>) value).stream().map(Numbers::decision).toArray(String[]::new));
        } else if (name.equals("faults")) {
            ((List<?>) value).forEach(tier -> addFaults((Map<?, ?>) tier));
        } else if (!(value instanceof List)) {
            values.put(camel(name), value);
        }
    }

    /** How many faults a tier has served so far, and how long they took. */
    private void addFaults(Map<?, ?> told) {
        String name = "Fault" + camel((String) told.get("tier"));
        Map<?, ?> times = (Map<?, ?>) told.get("fault_ns");
        values.put(name + "Count", ((List<?>) times.get("buckets")).stream().mapToLong(bucket -> (Long) ((List<?>) bucket).get(1)).sum());
        values.put(name + "Ns", times.get("sum"));
    }

    private static String decision(Object told) {
        Map<?, ?> decision = (Map<?, ?>) told;
        return String.format(Locale.ROOT, "%.3fs: %s", (Double) decision.get("uptime_seconds"), decision.get("reason"));
    }

    /** {@code used_bytes} becomes {@code UsedBytes}. */
    private static String camel(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("_")) {
            camel.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
        }
        return camel.toString();
    }

    /** All values: longs, doubles, booleans, strings, and the array of decisions. */
    SortedMap<String, Object> values() {
        return Collections.unmodifiableSortedMap(values);
    }

    /** A number; 0 where this VM has none of that name. */
    long value(String name) {
        return values.get(name) instanceof Long number ? number : 0;
    }

    /** The last decisions, the oldest first. */
    List<String> decisions() {
        return values.get("Decisions") instanceof String[] decisions ? List.of(decisions) : List.of();
    }
}
