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
package org.ztera.jvmtests.child;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.ztera.H2;
import org.ztera.monitor.H2Monitor;

/**
 * A group moves, one returns, one dies: an MBean, its notifications and a recording tell of it. With the argument
 * {@code agent} an agent has started the monitor before this program, which so knows nothing of it.
 */
public final class Monitored {
    private static final int BYTES = 3_000_000;

    private static byte[] kept;
    private static byte[] dies;

    private Monitored() {}

    public static void main(String[] args) {
        Child.main(() -> {
            if (args.length == 0) {
                Child.equal(Child.h2(), H2Monitor.start(), "the monitor runs where there is a second heap");
                Child.equal(Child.h2(), H2Monitor.start(), "a second start changes nothing");
            }
            if (Child.h2()) {
                test();
            }
        });
    }

    private static void test() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.ztera:type=H2");
        Map<String, String> told = new ConcurrentHashMap<>();
        server.addNotificationListener(name, (notification, ignored) -> told.put(notification.getType(), notification.getMessage()),
                null, null);
        try (Recording recording = new Recording()) {
            recording.enable("org.ztera.Statistics").withPeriod(Duration.ofMillis(20));
            recording.start();
            live();
            Child.await(() -> told.keySet().containsAll(Set.of("org.ztera.h2.move", "org.ztera.h2.return", "org.ztera.h2.death",
                    "org.ztera.h2.decision")), "notifications; there were " + told);
            recording.stop();
            Path file = Path.of("monitored.jfr");
            recording.dump(file);
            events(RecordingFile.readAllEvents(file));
        }
        attributes(server, name);
    }

    private static void live() throws InterruptedException {
        kept = Child.move(Graphs.bytes(BYTES, 1), 1);
        dies = Child.move(Graphs.bytes(BYTES, 2), 2);
        Graphs.checkBytes(dies, 2, "what is going to die");
        dies = null;
        Child.gcUntil(() -> H2.stats().regionsFreed() > 0, 3, "its regions are freed");
        Jcmd.run("gcH2Return", "1");
        Graphs.checkBytes(kept, 1, "what returned");
    }

    private static void events(List<RecordedEvent> events) {
        Map<String, List<RecordedEvent>> ours = events.stream().filter(event -> event.getEventType().getName().startsWith("org.ztera."))
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
        Child.check(sum(ours.get("org.ztera.Move"), "bytes") >= 2 * BYTES, "moves are recorded: " + ours.keySet());
        Child.check(sum(ours.get("org.ztera.Return"), "bytes") >= BYTES, "returns are recorded: " + ours.keySet());
        Child.check(sum(ours.get("org.ztera.Death"), "regions") > 0, "deaths are recorded: " + ours.keySet());
        Child.check(!ours.getOrDefault("org.ztera.Decision", List.of()).isEmpty(), "decisions are recorded: " + ours.keySet());
        Child.check(!ours.getOrDefault("org.ztera.Statistics", List.of()).isEmpty(), "statistics are recorded: " + ours.keySet());
        Child.check(events.stream().noneMatch(event -> event.getEventType().getName().equals("jdk.GCHeapSummary")
                && event.<Long>getValue("heapUsed") > 200_000_000L), "the heap's summary is of H1");
    }

    private static long sum(List<RecordedEvent> events, String field) {
        return events == null ? 0 : events.stream().mapToLong(event -> event.getLong(field)).sum();
    }

    private static void attributes(MBeanServer server, ObjectName name) throws Exception {
        Set<String> names = Set.of(server.getMBeanInfo(name).getAttributes()).stream().map(MBeanAttributeInfo::getName)
                .collect(Collectors.toSet());
        Child.check(names.containsAll(Set.of("UsedBytes", "Decisions", "Backing", "MovedBytes", "DueBytes")), "attributes: " + names);
        Child.equal(H2.stats().movedBytes(), server.getAttribute(name, "MovedBytes"), "an attribute");
        Child.equal(2, server.getAttributes(name, new String[] {"UsedBytes", "NoSuchBytes", "CapacityBytes"}).size(),
                "attributes that are there");
        Child.check(((String[]) server.getAttribute(name, "Decisions")).length > 0, "decisions");
    }
}
