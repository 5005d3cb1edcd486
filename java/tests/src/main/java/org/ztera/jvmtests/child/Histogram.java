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

/** The class histogram counts the objects of both heaps, and no longer those of a region that died. */
public final class Histogram {
    private Histogram() {}

    public static void main(String[] args) {
        Child.main(Histogram::test);
    }

    private static void test() {
        Population.create();
        for (int i = 0; i < 3; i++) {
            expect(Diagnostics.histogram(), Population.N);
            expect(Diagnostics.histogram("-all"), Population.N);
            expect(Diagnostics.histogram("-parallel=2"), Population.N);
            Child.youngGcs(1);
            Child.fullGc();
        }
        Population.check();
        Population.drop();
        expect(Diagnostics.histogram(), 0);
    }

    private static void expect(String histogram, long n) {
        Child.equal(n, Diagnostics.instances(histogram, Population.Moved.class), "objects in H2");
        Child.equal(n, Diagnostics.instances(histogram, Population.Stayed.class), "objects in H1");
        Child.check(Diagnostics.instances(histogram, byte[].class) >= n, "arrays");
    }
}
