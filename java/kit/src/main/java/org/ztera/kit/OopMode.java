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
package org.ztera.kit;

import java.util.ArrayList;
import java.util.List;

/** How references and headers look: the layouts that most tests run in. */
public enum OopMode {
    /** 32-bit references, ordinary headers. */
    NARROW(Oops.NARROW, false),
    /** 32-bit references, 8-byte headers. */
    NARROW_COMPACT(Oops.NARROW, true),
    /** 64-bit references, ordinary headers. */
    WIDE(Oops.WIDE, false),
    /** 64-bit references, 8-byte headers. */
    WIDE_COMPACT(Oops.WIDE, true);

    private final List<String> flags;

    OopMode(Oops oops, boolean compactHeaders) {
        this.flags = flags(oops, compactHeaders);
    }

    /** The flags of the JVM that choose this. */
    public List<String> flags() {
        return flags;
    }

    /** The flags of any other pair of references and headers. */
    public static List<String> flags(Oops oops, boolean compactHeaders) {
        List<String> flags = new ArrayList<>(oops.flags());
        flags.add("-XX:" + (compactHeaders ? "+" : "-") + "UseCompactObjectHeaders");
        return List.copyOf(flags);
    }
}
