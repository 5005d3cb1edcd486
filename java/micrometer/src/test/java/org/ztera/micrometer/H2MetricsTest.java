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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The MBean's numbers become meters, under the names that Prometheus has for them elsewhere. */
class H2MetricsTest {
    private static final String NAME = "org.ztera.test:type=H2";
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private final Map<String, Object> attributes = new HashMap<>(Map.of("Backing", "tier"));

    /** The bean of the attributes, which live on. */
    private Bean bean() throws JMException {
        SERVER.registerMBean(new MadeUp(attributes), new ObjectName(NAME));
        return new Bean(NAME);
    }

    /** A registry with the meters of a second heap. */
    private MeterRegistry bound() throws JMException {
        MeterRegistry registry = new SimpleMeterRegistry();
        new H2Metrics().bind(bean(), registry);
        return registry;
    }

    @AfterEach
    void forget() throws JMException {
        if (SERVER.isRegistered(new ObjectName(NAME))) {
            SERVER.unregisterMBean(new ObjectName(NAME));
        }
    }

    @Test
    void aVmWithoutASecondHeapHasNoMeters() {
        MeterRegistry registry = new SimpleMeterRegistry();
        new H2Metrics().bindTo(registry);
        assertEquals(List.of(), registry.getMeters());
    }

    @Test
    void metersFollowTheNumbers() throws JMException {
        Bean bean = bean();
        MeterRegistry registry = new SimpleMeterRegistry();
        new H2Metrics(Tags.of("tenant", "a")).bind(bean, registry);
        attributes.put("EngineResidentBytes", 4096L);
        attributes.put("MovedBytes", 700L);
        attributes.put("LastMoveSeconds", 0.25);
        attributes.put("EngineCompressNs", 2_500_000_000L);
        assertEquals(4096, registry.get("ztera.h2.resident.bytes").tag("tenant", "a").gauge().value());
        assertEquals("bytes", registry.get("ztera.h2.resident.bytes").gauge().getId().getBaseUnit());
        assertEquals(700, registry.get("ztera.h2.moved.bytes").functionCounter().count());
        assertEquals(0.25, registry.get("ztera.h2.last.move.seconds").gauge().value());
        assertEquals(2.5, registry.get("ztera.h2.compress.seconds").functionCounter().count());
        attributes.put("MovedBytes", 900L);
        assertEquals(900, registry.get("ztera.h2.moved.bytes").functionCounter().count());
    }

    /** The parts of the limit come with the first collection. */
    @Test
    void whatTheVmDoesNotTellYetIsNoNumber() throws JMException {
        MeterRegistry registry = bound();
        assertEquals(Double.NaN, registry.get("ztera.h2.memory.h1.bytes").gauge().value());
        attributes.put("MemoryH1Bytes", 7L);
        assertEquals(7, registry.get("ztera.h2.memory.h1.bytes").gauge().value());
    }

    @Test
    void faultsAreATimerOfEachTier() throws JMException {
        MeterRegistry registry = bound();
        attributes.put("FaultPoolCount", 5L);
        attributes.put("FaultPoolNs", 5_000L);
        assertEquals(5, registry.get("ztera.h2.fault").tag("tier", "pool").functionTimer().count());
        assertEquals(1, registry.get("ztera.h2.fault").tag("tier", "pool").functionTimer().mean(TimeUnit.MICROSECONDS));
        assertEquals(0, registry.get("ztera.h2.fault").tag("tier", "ssd").functionTimer().count());
    }

    @Test
    void aMappedFileHasNoTiers() throws JMException {
        attributes.put("Backing", "file");
        attributes.put("UsedBytes", 10L);
        MeterRegistry registry = bound();
        assertEquals(10, registry.get("ztera.h2.used.bytes").gauge().value());
        assertNull(registry.find("ztera.h2.resident.bytes").meter());
        assertNull(registry.find("ztera.h2.fault").meter());
    }

    /** Dashboards and alerts serve both, so both have one name and one kind for each number. */
    @Test
    void prometheusGetsTheNamesThatTheDocumentHas() throws JMException, IOException {
        Bean bean = bean();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new H2Metrics().bind(bean, registry);
        Map<String, String> documented = documented();
        Map<String, String> scraped = new TreeMap<>();
        Matcher types = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$").matcher(registry.scrape());
        while (types.find()) {
            scraped.put(types.group(1), types.group(2));
        }
        assertEquals(Statistic.all().size() + 1, scraped.size(), () -> "each has a name of its own: " + scraped);
        assertEquals("summary", scraped.remove("ztera_h2_fault_seconds"));
        scraped.forEach((name, kind) -> assertEquals(documented.get(name), kind, name));
    }

    /** The names for Prometheus in the document, and their kinds. */
    private static Map<String, String> documented() throws IOException {
        Map<String, String> kinds = new HashMap<>();
        for (String line : Files.readAllLines(Path.of(System.getProperty("ztera.statistics")))) {
            String[] cells = line.split("\\|");
            if (cells.length == 7 && cells[6].contains("`")) {
                kinds.put(cells[6].replace("`", "").strip(), cells[3].strip());
            }
        }
        assertTrue(kinds.size() > 50, () -> "the document's tables were read: " + kinds);
        return kinds;
    }
}
