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

import java.util.List;

/** How the JVM stores references. */
public enum Oops {
    /** The low 32 bits of the address. */
    NARROW("-XX:+UseCompressedOops"),
    /** Shifted. */
    ZEROBASED("-XX:+UseCompressedOops", "-XX:HeapBaseMinAddress=6g"),
    /** Shifted, and added to a base. */
    BASED("-XX:+UseCompressedOops", "-XX:HeapBaseMinAddress=40g"),
    /** With objects at multiples of 16 bytes. */
    ALIGNED16("-XX:+UseCompressedOops", "-XX:ObjectAlignmentInBytes=16"),
    /** 64 bits. */
    WIDE("-XX:-UseCompressedOops");

    private final List<String> flags;

    Oops(String... flags) {
        this.flags = List.of(flags);
    }

    /** The flags of the JVM that choose this. */
    public List<String> flags() {
        return flags;
    }
}
