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
package org.ztera.jvmtests.child;

/**
 * Shares a limit with another of its kind. The groups of one take more than half of it, so that all of them fit only
 * compressed. Both are full before either goes on.
 */
public final class Neighbour {
    private static final int PASSES = 3;

    private Neighbour() {}

    public static void main(String[] args) {
        Child.main(Neighbour::test);
    }

    private static void test() throws Exception {
        TwiceTheLimit.fill();
        Child.fullGc();
        Child.ready();
        for (int i = 0; i < PASSES; i++) {
            TwiceTheLimit.checkAll();
        }
    }
}
