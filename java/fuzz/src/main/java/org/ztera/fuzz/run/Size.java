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
package org.ztera.fuzz.run;

import java.util.List;

/**
 * How large the heaps are: little, so that collections are many and pages leave DRAM. Generated programs know the
 * largest region.
 */
enum Size {
    TINY("-Xmx96m", "-Xmn3m", "-XX:H2Size=192m", "-XX:H2RegionSize=256k", "-XX:H2ResidentSize=4m", "-XX:H2PoolSize=96m"),
    SMALL("-Xmx128m", "-Xmn12m", "-XX:H2Size=256m", "-XX:H2RegionSize=512k", "-XX:H2ResidentSize=6m", "-XX:H2PoolSize=128m"),
    ROOMY("-Xmx256m", "-Xmn48m", "-XX:H2Size=512m", "-XX:H2RegionSize=2m", "-XX:H2ResidentSize=24m", "-XX:H2PoolSize=256m");

    final List<String> flags;

    Size(String... flags) {
        this.flags = List.of(flags);
    }
}
