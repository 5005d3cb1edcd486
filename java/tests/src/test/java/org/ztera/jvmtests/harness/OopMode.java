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
package org.ztera.jvmtests.harness;

import java.util.List;

/** How references and headers look in the child VM. */
public enum OopMode {
    /** 32-bit references, ordinary headers. */
    NARROW(true, false),
    /** 32-bit references, 8-byte headers. */
    NARROW_COMPACT(true, true),
    /** 64-bit references, ordinary headers. */
    WIDE(false, false),
    /** 64-bit references, 8-byte headers. */
    WIDE_COMPACT(false, true);

    private final boolean compressedOops;
    private final boolean compactHeaders;

    OopMode(boolean compressedOops, boolean compactHeaders) {
        this.compressedOops = compressedOops;
        this.compactHeaders = compactHeaders;
    }

    List<String> flags() {
        return List.of("-XX:" + sign(compressedOops) + "UseCompressedOops",
                "-XX:" + sign(compactHeaders) + "UseCompactObjectHeaders");
    }

    private static String sign(boolean on) {
        return on ? "+" : "-";
    }
}
