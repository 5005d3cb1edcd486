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
package org.ztera.jvmtests.stress;

import java.util.regex.Pattern;
import org.ztera.jvmtests.child.H2Info;

/**
 * The costs of H2 at the end of a run, as {@code GC.h2_info} tells it, against what the regions that are left
 * explain: nothing may have leaked, whatever happened before.
 */
final class Accounting {
    private static final Pattern LABEL = Pattern.compile("\"label\":(-?\\d+),\"regions\":(\\d+)");
    /** Of the two tables of a region (cards, object starts), each ends within a page. */
    private static final long TABLE_BYTES_PER_REGION = 2 * 4096;
    /** The pool takes memory in chunks, and keeps an open one per size class. */
    private static final long POOL_SLACK = 8 << 20;
    /** The SSD tier's file is cleaned when half of it is freed; a few segments are being filled. */
    private static final long SSD_SLACK = 16 << 20;
    /** A minute and more: what is staged takes a fraction of a second on an idle machine. */
    private static final int SETTLE_ROUNDS = 3000;

    private final H2Info info;

    private Accounting(H2Info info) {
        this.info = info;
    }

    /** Reads until the worker threads have compressed what was moved last. */
    private static Accounting settled() throws InterruptedException {
        H2Info info = H2Info.read();
        for (int i = 0; i < SETTLE_ROUNDS && isStaged(info); i++) {
            Thread.sleep(20);
            info = H2Info.read();
        }
        return new Accounting(info);
    }

    private static boolean isStaged(H2Info info) {
        return isTiered(info) && info.value("staged_bytes") > 0;
    }

    /** Whether the engine is below; a file that is mapped has no accounts of its own. */
    private static boolean isTiered(H2Info info) {
        return info.json().contains("\"backing\":\"tier\"");
    }

    private long regionsOfGroups() {
        return LABEL.matcher(info.json()).results().filter(m -> {
            long label = Long.parseLong(m.group(1));
            return label >= 0 && label < World.LABELS;
        }).mapToLong(m -> Long.parseLong(m.group(2))).sum();
    }

    private void atMost(long most, String name) {
        long actual = info.value(name);
        Stress.check(actual <= most, name + " is " + actual + " and at most " + most + " can be explained: " + info.json());
    }

    /**
     * Checks the books, and that there was something to book. Nothing is asked where H2 is off. {@code H2Verify} looks
     * at the dependencies of regions, and the class loaders that they keep, in each collection.
     *
     * @param deserted all groups were given up and everything that was watched is dead
     */
    static void check(boolean deserted) throws InterruptedException {
        System.gc();
        Accounting a = settled();
        if (!a.info.json().contains("\"enabled\":true")) {
            return;
        }
        long regions = a.info.value("regions_used");
        long bytes = regions * a.info.value("region_bytes");
        a.atMost(bytes, "used_bytes");
        a.atMost(regions * TABLE_BYTES_PER_REGION, "table_bytes");
        Stress.check(a.info.value("moved_objects") > 0, "nothing has moved: " + a.info.json());
        if (isTiered(a.info)) {
            a.checkTiers(bytes);
        }
        if (deserted) {
            Stress.check(a.regionsOfGroups() == 0, "groups that are dead still have regions: " + a.info.json());
            a.atMost(Commons.TAGGED, "tags");
        }
        System.out.println("STRESS books balance: " + a.info.json().strip());
    }

    private void checkTiers(long bytes) {
        atMost(0, "staged_bytes");
        atMost(bytes, "resident_bytes");
        atMost(bytes, "orig_data_size");
        atMost(info.value("compr_data_size") + POOL_SLACK, "mem_used_total");
        atMost(2 * bytes + SSD_SLACK, "bd_used");
        Stress.check(info.value("fault_count") > 0, "nothing has left memory: " + info.json());
    }
}
