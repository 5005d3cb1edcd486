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
package org.ztera.jvmtests.soak;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ztera.jvmtests.child.H2Info;

/**
 * The costs that H2 may have when all was given up: no more than the regions that are left explain. Without {@code
 * H2Stress} none is left; with it, objects of the JDK that live on keep some.
 */
final class Books {
    /** The demoter and the workers end their work in a fraction of a second on an idle machine. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    /** Of the two tables of a region (cards, object starts), each ends within a page. */
    private static final long TABLE_BYTES_PER_REGION = 2 * 4096;
    /** The pool takes memory in chunks, and keeps an open one per size class and shard. */
    private static final long POOL_SLACK = 8 << 20;
    /**
     * Segments of 1 MiB that are open for writing, four for new units and four for cleaning, though nothing was written
     * to them: that failed.
     */
    private static final long SSD_SLACK = 8 << 20;

    private final H2Info info;
    private final Map<String, Long> most = new LinkedHashMap<>();

    private Books(H2Info info, boolean nothingIsLeft) {
        this.info = info;
        long regions = nothingIsLeft ? 0 : info.value("regions_used");
        long bytes = regions * info.value("region_bytes");
        most.put("regions_used", regions);
        most.put("used_bytes", bytes);
        most.put("table_bytes", regions * TABLE_BYTES_PER_REGION);
        most.put("dependencies", regions * Math.max(regions - 1, 0));
        most.put("tags", nothingIsLeft ? 0 : info.value("tags"));
        most.put("staged_bytes", 0L);
        most.put("resident_bytes", Math.min(bytes, info.value("resident_limit")));
        most.put("over_limit_bytes", 0L);
        most.put("orig_data_size", bytes);
        most.put("mem_used_total", Math.min(bytes + POOL_SLACK, info.value("mem_limit")));
        most.put("bd_count", bytes / 4096);
        most.put("bd_used", bytes == 0 ? SSD_SLACK : info.value("bd_limit"));
    }

    private boolean balance() {
        return most.entrySet().stream().allMatch(e -> info.value(e.getKey()) <= e.getValue());
    }

    /** Waits until nothing is left but what is explained, and fails if that never is. */
    static H2Info settle(boolean nothingIsLeft) throws InterruptedException, IOException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            Books books = new Books(H2Info.read(), nothingIsLeft);
            long used = books.info.value("bd_used");
            long allocated = SsdFile.allocated();
            if (books.balance() && allocated <= used + SSD_SLACK) {
                return books.info;
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("the books do not balance; at most " + books.most + ", and of the file, which takes "
                        + allocated + ", " + (used + SSD_SLACK) + ": " + books.info.json());
            }
            Thread.sleep(50);
        }
    }
}
