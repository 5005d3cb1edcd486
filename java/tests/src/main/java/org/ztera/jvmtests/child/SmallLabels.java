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

import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * Thousands of labels of about 1 KiB share regions: all move, each keeps its objects, statistics and roots, and what is
 * dropped goes. The arguments say how many labels there are, and how many regions they may take.
 */
public final class SmallLabels {
    private static final int ARRAYS = 2;
    private static final int BYTES = 500;

    private static Object[][] groups;

    private SmallLabels() {}

    public static void main(String[] args) {
        Child.main(() -> test(Integer.parseInt(args[0]), Integer.parseInt(args[1])));
    }

    private static void test(int labels, int mostRegions) {
        groups = new Object[labels][];
        for (int i = 0; i < labels; i++) {
            groups[i] = build(i);
            H2.tag(groups[i], i);
            H2.move(i);
        }
        Child.fullGc();
        check(1);
        H2Stats.atMost(mostRegions, H2Stats.regionsUsed(), "regions of " + labels + " labels");
        if (Child.h2()) {
            statistics(labels);
        }
        // The labels that were tagged first are traced last, when others have the regions.
        later(1);
        returning(2);
        dying();
    }

    private static Object[] build(int seed) {
        // The last element is for what comes later.
        Object[] group = new Object[ARRAYS + 1];
        for (int i = 0; i < ARRAYS; i++) {
            group[i] = Graphs.bytes(BYTES, seed + i);
        }
        return group;
    }

    private static void check(int step) {
        for (int i = 0; i < groups.length; i += step) {
            Child.inH2(groups[i], "the root of group " + i);
            for (int j = 0; j < ARRAYS; j++) {
                Child.inH2(groups[i][j], "an array of group " + i);
                Graphs.checkBytes((byte[]) groups[i][j], i + j, "group " + i);
            }
        }
    }

    /** Each label has its own bytes, and together they have all. */
    private static void statistics(int labels) {
        H2Info info = H2Info.read();
        long sum = 0;
        for (int i = 0; i < labels; i += 97) {
            long used = info.label(i).value("used_bytes");
            Child.check(used >= ARRAYS * BYTES, "label " + i + " has " + used + " bytes");
        }
        String list = info.json().substring(info.json().indexOf("\"labels\":["));
        List<Long> bytes = new ArrayList<>();
        long regions = 0;
        for (String entry : list.split("\\{")) {
            H2Info one = new H2Info(entry);
            if (one.find("used_bytes").isPresent() && entry.startsWith("\"label\":")) {
                bytes.add(one.value("used_bytes"));
                regions += one.value("regions");
            }
        }
        for (long each : bytes) {
            sum += each;
        }
        Child.equal(H2Stats.used(), sum, "bytes of all labels");
        Child.equal(H2Stats.regionsUsed(), regions, "regions of all labels");
    }

    /** A group comes to refer to a new object, which moves when its label is asked for again. */
    private static void later(int i) {
        Node node = new Node(7);
        groups[i][ARRAYS] = node;
        H2.moveNow(i);
        Child.inH2(node, "what a group came to refer to");
        Child.equal(7L, ((Node) groups[i][ARRAYS]).value, "what a group came to refer to");
    }

    /** A label returns with those that share its regions, and all their roots are tagged again. */
    private static void returning(int i) {
        if (!Child.h2()) {
            return;
        }
        String said = Jcmd.run("gcH2Return", Integer.toString(i));
        Child.check(said.matches("(?s)[1-9]\\d*K returned\\s*"), said);
        Child.inH1(groups[i], "what returned");
        Graphs.checkBytes((byte[]) groups[i][0], i, "what returned");
        long tags = H2Stats.tags();
        H2Stats.atLeast(2, tags, "tags of roots that share a region");
        for (int j = 0; j < groups.length; j++) {
            H2.move(j);
        }
        Child.fullGc();
        check(1);
    }

    /** Every second one, and then all. */
    private static void dying() {
        for (int i = 1; i < groups.length; i += 2) {
            groups[i] = null;
        }
        Child.fullGcs(2);
        check(2);
        if (Child.h2()) {
            Jcmd.run("gcH2Live");
        }
        check(2);
        groups = null;
        Child.fullGc();
        H2Stats.exactly(0, H2Stats.used(), "used bytes when all labels are dropped");
    }
}
