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
package org.ztera.demo;

/** Says on standard error how far a phase is: lines such as {@code "load 37% src/java.base"}. */
public final class Progress {
    private final String phase;
    private final long total;
    private long done;
    private int percent = -1;

    /** @param total what all amounts will add up to */
    public Progress(String phase, long total) {
        this.phase = phase;
        this.total = total;
    }

    /** Something was done, and with what. */
    public void add(long amount, String what) {
        done += amount;
        int now = total == 0 ? 100 : (int) (done * 100 / total);
        if (now > percent) {
            percent = now;
            System.err.println(phase + " " + percent + "% " + what);
        }
    }
}
