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
package org.ztera.demo.index;

import java.util.ArrayList;
import java.util.List;

/** A name that occurs in a shard, and all places where it does. */
public final class Symbol {
    private final String name;
    private final ArrayList<Position> positions = new ArrayList<>(2);

    Symbol(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** In the order of files, lines and columns. */
    public List<Position> positions() {
        return positions;
    }

    void add(Position position) {
        positions.add(position);
    }

    void trim() {
        positions.trimToSize();
    }
}
