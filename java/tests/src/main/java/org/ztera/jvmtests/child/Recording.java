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

import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.consumer.RecordingFile;
import org.ztera.H2;

/** Flight Recorder's leak profiler walks the heap from its roots; its samples may lie in H2. */
public final class Recording {
    private static Object[] kept;

    private Recording() {}

    public static void main(String[] args) {
        Child.main(Recording::test);
    }

    private static void test() throws Exception {
        try (jdk.jfr.Recording r = new jdk.jfr.Recording()) {
            r.enable("jdk.OldObjectSample").with("cutoff", "infinity").withStackTrace();
            r.enable("jdk.GarbageCollection").withThreshold(Duration.ZERO);
            r.enable("jdk.GCHeapSummary");
            r.start();
            fill();
            Child.youngGcs(3);
            Child.fullGcs(2);
            Path file = Path.of("recording.jfr");
            r.stop();
            r.dump(file);
            var events = RecordingFile.readAllEvents(file);
            Child.check(events.stream().anyMatch(e -> e.getEventType().getName().equals("jdk.GarbageCollection")),
                    "collections are recorded");
            long samples = events.stream().filter(e -> e.getEventType().getName().equals("jdk.OldObjectSample")).count();
            System.out.println("SAMPLES " + samples);
            Child.check(samples > 0, "old objects are sampled");
        }
        for (int i = 0; i < kept.length; i++) {
            Graphs.checkBytes((byte[]) kept[i], i, "array " + i);
        }
    }

    private static void fill() {
        kept = new Object[600];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = Graphs.bytes(20_000, i);
        }
        H2.tag(kept, 1);
        H2.moveNow(1);
    }
}
