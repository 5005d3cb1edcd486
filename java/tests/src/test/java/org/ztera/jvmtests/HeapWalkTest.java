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
package org.ztera.jvmtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.NARROW_COMPACT;
import static org.ztera.kit.OopMode.WIDE;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.ztera.jvmtests.child.Child;
import org.ztera.jvmtests.child.Chunks;
import org.ztera.jvmtests.child.CriticalWaits;
import org.ztera.jvmtests.child.HeapDumps;
import org.ztera.jvmtests.child.Histogram;
import org.ztera.jvmtests.child.JvmtiHeap;
import org.ztera.jvmtests.child.JvmtiValues;
import org.ztera.jvmtests.child.Population;
import org.ztera.jvmtests.child.Recording;
import org.ztera.jvmtests.harness.HeapDump;
import org.ztera.jvmtests.harness.JvmProcess;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.NativeLibrary;
import org.ztera.jvmtests.harness.Setup;

/** Everything that walks the heap walks both. */
class HeapWalkTest {
    @Matrix(file = NARROW, fastdebug = {NARROW, NARROW_COMPACT})
    void heapDumps(Setup setup) {
        JvmRun run = JvmRun.of(setup).main(HeapDumps.class);
        JvmProcess child = run.start().awaitLine(Child.READY);
        Path parallel = run.directory().toAbsolutePath().resolve("parallel.hprof");
        child.jcmd(setup.jdk(), "GC.heap_dump", "-parallel=3", parallel.toString());
        child.send("go on").await().passed();
        for (String name : List.of("live.hprof", "parallel.hprof")) {
            HeapDump dump = HeapDump.read(run.directory().resolve(name));
            expectPopulation(dump, name);
            assertEquals(Set.of(), dump.dangling(Population.Moved.class, Population.Stayed.class),
                    name + ": references to objects that are not in the dump");
        }
        expectPopulation(HeapDump.read(run.directory().resolve("all.hprof")), "all.hprof");
    }

    private static void expectPopulation(HeapDump dump, String name) {
        assertEquals(Population.N, dump.count(Population.Moved.class), name + ": objects in H2");
        assertEquals(Population.N, dump.count(Population.Stayed.class), name + ": objects in H1");
        assertEquals(List.of(), dump.duplicates(), name + ": objects that are dumped twice");
    }

    @Matrix(file = NARROW, fastdebug = {NARROW, WIDE})
    void classHistogram(Setup setup) {
        JvmRun.of(setup).main(Histogram.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = {NARROW, NARROW_COMPACT})
    void jvmtiHeapFunctionsAndJniReferences(Setup setup) {
        JvmRun.of(setup).main(JvmtiHeap.class, NativeLibrary.heapAgent().toString()).run().passed();
    }

    // Bug: GetPrimitiveArrayCritical asked whether the array is in H2 before it waited for a collection that moved
    // it there. System calls on it failed with EFAULT.
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void criticalSectionsThatWaitForAMove(Setup setup) {
        JvmRun.of(setup).main(CriticalWaits.class, NativeLibrary.heapAgent().toString()).run().passed();
    }

    // Bug: Arrays that JVMTI shows to agents lay in H2, and a system call on them failed.
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void jvmtiValuesCanBeGivenToTheKernel(Setup setup) {
        for (String kind : List.of("array", "string")) {
            JvmRun.of(setup).main(JvmtiValues.class, NativeLibrary.heapAgent().toString(), kind).run().passed();
        }
    }

    // Bug: Flight Recorder's metadata, an array of the heap, went to a system call, which cannot fault: the VM
    // ended.
    // The fastdebug VM has no Flight Recorder.
    @Matrix(modes = NARROW)
    void flightRecorderMetadata(Setup setup) {
        JvmRun.of(setup).flag("--add-opens=jdk.jfr/jdk.jfr.internal=ALL-UNNAMED").main(Chunks.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE}, file = NARROW)
    void flightRecorderLeakProfiler(Setup setup) {
        JvmRun.of(setup).main(Recording.class).run().passed();
    }
}
