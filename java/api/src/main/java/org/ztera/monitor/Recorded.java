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

import java.util.function.Consumer;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Events of Flight Recorder. Only where that module is there. */
final class Recorded {
    private Recorded() {
    }

    /** Whether this VM has the recorder. */
    static boolean isAvailable() {
        return FlightRecorder.isAvailable();
    }

    /** Commits events periodically from the first recording on, and returns who takes changes. */
    static Consumer<Change> start() {
        FlightRecorder.addListener(new FlightRecorderListener() {
            @Override
            public void recorderInitialized(FlightRecorder recorder) {
                FlightRecorder.addPeriodicEvent(Statistics.class, () -> new Statistics(Numbers.read()).commit());
            }
        });
        return change -> event(change).commit();
    }

    private static Event event(Change change) {
        return switch (change.kind()) {
            case MOVE -> new Move(change);
            case RETURN -> new Return(change);
            case DEATH -> new Death(change);
            case PRESSURE -> new Pressure(change);
            case DECISION -> new Decision(change);
        };
    }

    @Name("org.ztera.Move")
    @Label("Move to H2")
    @Description("Objects moved to the second heap in a full collection")
    @Category("ZTera")
    @StackTrace(false)
    private static final class Move extends Event {
        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Objects")
        long objects;

        Move(Change change) {
            bytes = change.bytes();
            objects = change.count();
        }
    }

    @Name("org.ztera.Return")
    @Label("Return to H1")
    @Description("Objects returned to the ordinary heap in a full collection")
    @Category("ZTera")
    @StackTrace(false)
    private static final class Return extends Event {
        @Label("Bytes")
        @DataAmount
        long bytes;

        Return(Change change) {
            bytes = change.bytes();
        }
    }

    @Name("org.ztera.Death")
    @Label("Death in H2")
    @Description("Regions of the second heap died")
    @Category("ZTera")
    @StackTrace(false)
    private static final class Death extends Event {
        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Regions")
        long regions;

        Death(Change change) {
            bytes = change.bytes();
            regions = change.count();
        }
    }

    @Name("org.ztera.Pressure")
    @Label("Pressure on H2")
    @Description("More of the second heap is in memory than should be, or its SSD failed")
    @Category("ZTera")
    @StackTrace(false)
    private static final class Pressure extends Event {
        @Label("Bytes over the limit")
        @DataAmount
        long bytes;

        @Label("Errors of the SSD")
        long errors;

        @Label("Reason")
        String reason;

        Pressure(Change change) {
            bytes = change.bytes();
            errors = change.count();
            reason = change.message();
        }
    }

    @Name("org.ztera.Decision")
    @Label("Decision")
    @Description("A decision of the VM about memory or a label, with its reason")
    @Category("ZTera")
    @StackTrace(false)
    private static final class Decision extends Event {
        @Label("Reason")
        String reason;

        Decision(Change change) {
            reason = change.message();
        }
    }

    @Name("org.ztera.Statistics")
    @Label("Second heap")
    @Description("Where the second heap is, and what its page faults took so far")
    @Category("ZTera")
    @StackTrace(false)
    @Period("10 s")
    private static final class Statistics extends Event {
        @Label("Used")
        @DataAmount
        long usedBytes;

        @Label("Resident")
        @DataAmount
        long residentBytes;

        @Label("Compressed, in DRAM")
        @DataAmount
        long memUsedTotal;

        @Label("On SSD, before compression")
        @DataAmount
        long bdDataSize;

        @Label("Part of the memory limit")
        @DataAmount
        long memoryH2Bytes;

        @Label("Page faults so far")
        long faultCount;

        @Label("Reads of the SSD so far")
        long bdReads;

        @Label("Decompressing so far")
        @Timespan(Timespan.NANOSECONDS)
        long decompressNs;

        @Label("Reading the SSD so far")
        @Timespan(Timespan.NANOSECONDS)
        long bdReadNs;

        Statistics(Numbers numbers) {
            usedBytes = numbers.value("UsedBytes");
            residentBytes = numbers.value("EngineResidentBytes");
            memUsedTotal = numbers.value("EngineMemUsedTotal");
            bdDataSize = numbers.value("EngineBdDataSize");
            memoryH2Bytes = numbers.value("MemoryH2Bytes");
            faultCount = numbers.value("EngineFaultCount");
            bdReads = numbers.value("EngineBdReads");
            decompressNs = numbers.value("EngineDecompressNs");
            bdReadNs = numbers.value("EngineBdReadNs");
        }
    }
}
