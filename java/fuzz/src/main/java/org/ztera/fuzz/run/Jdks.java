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

import java.util.List;
import org.ztera.kit.JavaHome;

/**
 * The JVMs of a comparison.
 *
 * @param stock the reference, a JDK 25
 * @param view the one under test
 * @param debugView the same with assertions, or null
 * @param isStock what is under test is a stock JVM too: no flag of H2 is given
 * @param extraFlags for the JVM under test
 */
public record Jdks(JavaHome stock, JavaHome view, JavaHome debugView, boolean isStock, List<String> extraFlags) {
    /** The stock JVM against itself: what differs is the fuzzer's fault. */
    public static Jdks self(JavaHome stock, List<String> extraFlags) {
        return new Jdks(stock, stock, null, true, extraFlags);
    }

    JavaHome tested(Mode mode) {
        return mode.debug() && debugView != null ? debugView : view;
    }
}
