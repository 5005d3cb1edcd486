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
package org.ztera.demo.tiers;

import java.io.IOException;

/** A program whose live data outgrows its DRAM: it loads once, then answers. The same seed gives the same answers. */
public interface Workload {
    /** Builds the data, and hands each group that is complete to {@link Groups#finished}. */
    void load(Groups groups) throws IOException;

    /** How many operations {@link #operate} will be asked for. */
    int operations();

    /** The operation with this number. @return what it found, as a number that depends on all of it */
    long operate(int number);
}
