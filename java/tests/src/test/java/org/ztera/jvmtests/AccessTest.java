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

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.NARROW_COMPACT;
import static org.ztera.kit.OopMode.WIDE;
import static org.ztera.kit.OopMode.WIDE_COMPACT;

import org.ztera.jvmtests.child.ArrayAccess;
import org.ztera.jvmtests.child.AtomicAccess;
import org.ztera.jvmtests.child.Child;
import org.ztera.jvmtests.child.CriticalCalls;
import org.ztera.jvmtests.child.CriticalSections;
import org.ztera.jvmtests.child.FileIo;
import org.ztera.jvmtests.child.NativeAccess;
import org.ztera.jvmtests.child.OldPicture;
import org.ztera.jvmtests.child.Reflection;
import org.ztera.jvmtests.child.StringHashes;
import org.ztera.jvmtests.child.Strings;
import org.ztera.jvmtests.harness.Backing;
import org.ztera.jvmtests.harness.Jdk;
import org.ztera.jvmtests.harness.JvmProcess;
import org.ztera.jvmtests.harness.JvmResult;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.NativeLibrary;
import org.ztera.jvmtests.harness.Setup;

/** Every way to reach into an object works on one in H2. */
class AccessTest {
    private static final String HAND_OVER = "threads of the engine serve faults from now on";

    @Matrix(file = {NARROW, WIDE}, fastdebug = {NARROW, WIDE})
    void arraycopyCloneAndBulkOperations(Setup setup) {
        JvmRun.of(setup).main(ArrayAccess.class).run().passed();
    }

    @Matrix(file = {NARROW, WIDE}, fastdebug = NARROW)
    void atomicAccess(Setup setup) {
        JvmRun.of(setup).main(AtomicAccess.class).run().passed();
    }

    /**
     * With little of H2 resident, so that the kernel meets pages that are not there. The first time that native code
     * can be given the address itself of an array, threads of the engine take over from those that serve their own
     * faults.
     */
    @Matrix(file = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void nativeCodeAndSystemCalls(Setup setup) {
        JvmResult result = JvmRun.of(setup).flag("-XX:H2ResidentSize=4m").main(NativeAccess.class, "all").run().passed();
        if (setup.backing() == Backing.TIER) {
            result.logged(HAND_OVER);
        }
    }

    /** It used to make threads of the engine take over for good. Half of memory has room for all arrays in use. */
    @Matrix(fastdebug = NARROW)
    void compressionInCriticalSections(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=32m").main(NativeAccess.class, "zip").run().passed().notLogged(HAND_OVER);
    }

    // Bug: sections had copies. Their end took the pointer for that of the copy: other objects were overwritten.
    // Situation: native code: it ends a critical section with another pointer, another array or the wrong mode.
    // Outcome: all that it wrote is in its array, and nothing else changed.
    @Matrix(file = NARROW, fastdebug = {NARROW, WIDE_COMPACT})
    void criticalSections(Setup setup) {
        JvmRun.of(setup).main(CriticalSections.class, NativeLibrary.heapAgent().toString()).run().passed().notLogged(HAND_OVER);
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void criticalSectionsThatAreChecked(Setup setup) {
        JvmRun.of(setup).flag("-Xcheck:jni").main(CriticalSections.class, NativeLibrary.heapAgent().toString()).run().passed()
                .notLogged(HAND_OVER);
    }

    @Matrix(modes = NARROW, fastdebug = NARROW)
    void criticalSectionsWithHandlers(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2FaultMode=handler").main(CriticalSections.class, NativeLibrary.heapAgent().toString()).run()
                .passed();
    }

    /**
     * While memory is short, but has room for the arrays that are in use. Situation: native code: it gives an array
     * from a critical section to read(2) and write(2). Outcome: the calls work, and every byte is right.
     */
    @Matrix(fastdebug = NARROW)
    void systemCallsInCriticalSections(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=8m").main(CriticalCalls.class, NativeLibrary.heapAgent().toString(), "300000").run()
                .passed().notLogged(HAND_OVER);
    }

    /** One such array is more than may be pinned: threads of the engine take over. */
    @Matrix(modes = NARROW, fastdebug = WIDE)
    void systemCallsOnArraysThatAreTooLarge(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m").main(CriticalCalls.class, NativeLibrary.heapAgent().toString(), "3000000").run()
                .passed().logged(HAND_OVER);
    }

    // Bug: each drawing operation copied the whole picture.
    // Situation: native code: Java 2D draws on an old picture. Outcome: the same pixels as on a new one.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void picturesInH2(Setup setup) {
        JvmRun.of(setup).flag("-Djava.awt.headless=true").main(OldPicture.class).run().passed().notLogged(HAND_OVER);
    }

    @Matrix(modes = {NARROW, WIDE}, fastdebug = NARROW)
    void nativeCodeAndSystemCallsWithHandlers(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m", "-XX:H2FaultMode=handler").main(NativeAccess.class, "all").run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT}, file = NARROW, fastdebug = NARROW)
    void filesAndSockets(Setup setup) {
        JvmRun.of(setup).flag("-XX:H2ResidentSize=4m").main(FileIo.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = {NARROW, NARROW_COMPACT})
    void reflectionAndMethodHandles(Setup setup) {
        JvmRun.of(setup).main(Reflection.class).run().passed();
    }

    @Matrix(file = WIDE, fastdebug = NARROW)
    void strings(Setup setup) {
        JvmRun.of(setup).main(Strings.class).run().passed();
    }

    /** A hash is kept in the string: computed in H2, each would cost a unit its compressed object. */
    @Matrix(file = NARROW, fastdebug = {NARROW, NARROW_COMPACT})
    void hashesOfStringsAreNoWrites(Setup setup) {
        JvmProcess child = JvmRun.of(setup).flag("-XX:H2ResidentSize=4m").main(StringHashes.class).start().awaitLine(Child.READY);
        long before = written(child, setup);
        child.send("").awaitLine("HASHED");
        long units = written(child, setup) - before;
        child.send("go on").await().passed();
        // Of some hundred units; ten strings are long.
        assertTrue(units < 100, units + " units were written to");
    }

    /** Units in H2 whose first write since they came into memory was noticed. */
    private static long written(JvmProcess child, Setup setup) {
        if (Jdk.STOCK || setup.backing() != Backing.TIER) {
            return 0;
        }
        return child.h2Info(setup.jdk()).getAsJsonObject("engine").get("wp_fault_count").getAsLong();
    }

    @Matrix(file = NARROW, fastdebug = {NARROW, NARROW_COMPACT})
    void stringDeduplication(Setup setup) {
        JvmRun.of(setup).flag("-XX:+UseStringDeduplication", "-XX:StringDeduplicationAgeThreshold=1")
                .main(Strings.class).run().passed();
    }
}
