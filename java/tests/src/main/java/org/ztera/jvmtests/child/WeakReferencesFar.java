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

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * Collections do not touch what references refer to in H2, but for the first one after something has changed. The VM
 * keeps 4 MiB of it resident, a quarter of the referents, and has no H2Verify, which reads all.
 */
public final class WeakReferencesFar {
    private static final int N = 4000;

    private static List<Reference<byte[]>> references = new ArrayList<>();
    private static byte[][] referents = new byte[N][];

    private WeakReferencesFar() {}

    public static void main(String[] args) {
        Child.main(WeakReferencesFar::test);
    }

    private static void test() {
        for (int i = 0; i < N; i++) {
            referents[i] = Graphs.bytes(4000, i);
            references.add(i % 2 == 0 ? new WeakReference<>(referents[i]) : new SoftReference<>(referents[i]));
        }
        Child.move(referents, 1);
        Child.fullGc();
        long before = H2.stats().faultCount();
        Child.youngGcs(3);
        Child.fullGcs(3);
        long faults = H2.stats().faultCount() - before;
        Child.check(faults < N / 4, faults + " faults in collections, with " + N + " references to H2");
        for (int i = 0; i < N; i++) {
            Child.check(references.get(i).refersTo(referents[i]), "a referent");
            Graphs.checkBytes(references.get(i).get(), i, "a referent");
        }
    }
}
