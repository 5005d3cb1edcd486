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

import static org.ztera.kit.OopMode.NARROW;
import static org.ztera.kit.OopMode.NARROW_COMPACT;
import static org.ztera.kit.OopMode.WIDE;
import static org.ztera.kit.OopMode.WIDE_COMPACT;

import org.ztera.jvmtests.child.ClassUnloading;
import org.ztera.jvmtests.child.Cleaners;
import org.ztera.jvmtests.child.Finalizers;
import org.ztera.jvmtests.child.HeldByClasses;
import org.ztera.jvmtests.child.SharedValues;
import org.ztera.jvmtests.child.WeakCollections;
import org.ztera.jvmtests.child.WeakReferences;
import org.ztera.jvmtests.child.WeakReferencesFar;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.Setup;

/** Tests of death: the program is told when a region dies, and all dies with it. */
class DeathTest {
    @Matrix(file = {NARROW, WIDE}, fastdebug = NARROW)
    void softReferencesKeepWhatIsRecentlyUsed(Setup setup) {
        JvmRun.of(setup).main(WeakReferences.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = WIDE)
    void weakSoftAndPhantomReferencesAreCleared(Setup setup) {
        JvmRun.of(setup).flag("-XX:SoftRefLRUPolicyMSPerMB=0").main(WeakReferences.class, "soft").run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void referencesAreProcessedInParallel(Setup setup) {
        JvmRun.of(setup).flag("-XX:+UnlockExperimentalVMOptions", "-XX:ReferencesPerThread=10", "-XX:ParallelGCThreads=4")
                .main(WeakReferences.class).run().passed();
    }

    @Matrix(modes = {NARROW, WIDE_COMPACT})
    void collectionsDoNotTouchReferents(Setup setup) {
        JvmRun.of(setup).flag("-XX:-H2Verify", "-XX:H2ResidentSize=4m").main(WeakReferencesFar.class).run().passed();
    }

    @Matrix(file = NARROW_COMPACT, fastdebug = NARROW)
    void weakCollectionsForgetDeadRegions(Setup setup) {
        JvmRun.of(setup).main(WeakCollections.class).run().passed();
    }

    @Matrix(file = NARROW, fastdebug = {NARROW, NARROW_COMPACT})
    void finalizersRunBeforeTheRegionDies(Setup setup) {
        JvmRun.of(setup).main(Finalizers.class).run().passed();
    }

    // Bug: The referent of a program's own PhantomReference was of no group only until it had moved. Then it could
    // join a group that was added to later, which never died.
    @Matrix(modes = NARROW, file = WIDE, fastdebug = WIDE_COMPACT)
    void cleanersRunWhenTheRegionDies(Setup setup) {
        JvmRun.of(setup).main(Cleaners.class).run().passed();
    }

    // Bug: Objects that classes, the VM or caches of the JDK hold joined the first group that met them, or kept a
    // group that they had once referred to. Such a group never died.
    @Matrix(file = NARROW, fastdebug = WIDE)
    void whatClassesHoldKeepsNoGroup(Setup setup) {
        JvmRun.of(setup).main(HeldByClasses.class).run().passed();
    }

    // Bug: String deduplication gave a value in H2 to strings anywhere, and the group lived as long as any of them.
    @Matrix(modes = {NARROW, WIDE_COMPACT}, fastdebug = NARROW)
    void equalStringsKeepNoGroup(Setup setup) {
        JvmRun.of(setup).flag("-XX:+UseStringDeduplication", "-XX:StringDeduplicationAgeThreshold=1", "--add-opens=java.base/java.lang=ALL-UNNAMED")
                .main(SharedValues.class).run().passed();
    }

    @Matrix(file = {NARROW_COMPACT, WIDE}, fastdebug = {NARROW, NARROW_COMPACT, WIDE, WIDE_COMPACT})
    void classesAreUnloadedWithTheirLastRegion(Setup setup) {
        JvmRun.of(setup).main(ClassUnloading.class).run().passed();
    }
}
