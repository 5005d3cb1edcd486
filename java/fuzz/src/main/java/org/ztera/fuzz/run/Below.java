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

import java.nio.file.Path;
import java.util.List;

/** The tiers below H2. */
enum Below {
    LZ4("lz4", "16k"),
    LZ4SMALL("lz4", "4k"),
    LZ4LARGE("lz4", "64k"),
    ZSTD("zstd", "16k"),
    ZSTDLARGE("zstd", "64k"),
    /** Faults are served by threads of the engine. */
    HANDLER("lz4", "8k"),
    /** As little compressed memory as may be: most is on SSD. */
    SSD("lz4", "16k"),
    FILE(null, null);

    private final String codec;
    private final String unit;

    Below(String codec, String unit) {
        this.codec = codec;
        this.unit = unit;
    }

    /** Whether programs make calls after which threads of the engine serve faults. */
    boolean downcalls() {
        return this == HANDLER || this == LZ4SMALL || this == ZSTD;
    }

    /** @param directory where a file may lie */
    List<String> flags(Path directory) {
        return switch (this) {
            case FILE -> List.of("-XX:H2Backing=file", "-XX:H2Path=" + directory);
            case SSD -> List.of("-XX:H2Path=" + directory, "-XX:H2PoolSize=8m", "-XX:+H2Encrypt", "-XX:H2IdleEpochs=1");
            case HANDLER -> List.of("-XX:H2FaultMode=handler", "-XX:H2Codec=" + codec, "-XX:H2UnitSize=" + unit);
            default -> List.of("-XX:H2Codec=" + codec, "-XX:H2UnitSize=" + unit);
        };
    }
}
