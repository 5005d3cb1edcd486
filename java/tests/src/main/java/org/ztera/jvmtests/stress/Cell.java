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

/** A node of the stress program's graphs. Its contents are known to the {@link Shadow}, under its id. */
final class Cell {
    /** Never used twice in a thread's life; the id is, after the cell has become unreachable. */
    final long uid;
    /** Index into the shadow. */
    final int id;
    long value;
    int locked;
    Cell a;
    Cell b;
    Object payload;

    Cell(long uid, int id) {
        this.uid = uid;
        this.id = id;
    }
}
