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

import org.ztera.H2;

/** Each label has regions of its own, so one group's death frees its regions and no other's. */
public final class LabelsAndRegions {
    private static final int LABELS = 6;

    private static final Node[] groups = new Node[LABELS];
    private static final byte[][][] bulk = new byte[LABELS][][];

    private LabelsAndRegions() {}

    public static void main(String[] args) {
        Child.main(LabelsAndRegions::test);
    }

    private static void test() {
        for (int label = 0; label < LABELS; label++) {
            build(label);
        }
        // Labels are any non-negative long; 0 and the largest are labels like the others.
        for (int label = 0; label < LABELS; label++) {
            H2.tag(groups[label], label(label));
            H2.tag(bulk[label], label(label));
            H2.move(label(label));
        }
        Child.fullGc();
        checkAll(0);
        long perLabel = 2_000_000 / Math.max(1, H2Stats.regionBytes());
        H2Stats.atLeast(LABELS * Math.max(1, perLabel), H2Stats.regionsUsed(), "regions");
        for (int label = 0; label < LABELS; label++) {
            dropAndCheck(label);
        }
        H2Stats.exactly(0, H2Stats.used(), "used bytes when all is dropped");
        H2Stats.exactly(0, H2Stats.regionsUsed(), "used regions when all is dropped");
    }

    private static long label(int i) {
        return i == LABELS - 1 ? Long.MAX_VALUE : i * 1000L;
    }

    private static void build(int label) {
        groups[label] = Graphs.list(100, label);
        bulk[label] = new byte[20][];
        for (int i = 0; i < bulk[label].length; i++) {
            bulk[label][i] = Graphs.bytes(100_000, label * 100 + i);
        }
    }

    private static void dropAndCheck(int label) {
        long used = H2Stats.used();
        long freed = H2Stats.regionsFreed();
        groups[label] = null;
        bulk[label] = null;
        Child.fullGc();
        H2Stats.atLeast(freed + 1, H2Stats.regionsFreed(), "regions freed with label " + label);
        H2Stats.atMost(used - 2_000_000, H2Stats.used(), "used bytes without label " + label);
        checkAll(label + 1);
    }

    private static void checkAll(int from) {
        for (int label = from; label < LABELS; label++) {
            Child.inH2(groups[label], "list of label " + label);
            Child.equal(Graphs.listSum(100, label), Graphs.sum(groups[label]), "label " + label);
            for (int i = 0; i < bulk[label].length; i++) {
                Child.inH2(bulk[label][i], "array of label " + label);
                Graphs.checkBytes(bulk[label][i], label * 100 + i, "label " + label);
            }
        }
    }
}
