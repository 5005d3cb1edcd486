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

/** How code is executed. Thresholds are low, so that what runs a hundred times is compiled. */
enum Exec {
    INT("-Xint"),
    C1("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.05"),
    C2("-XX:-TieredCompilation", "-XX:CompileThresholdScaling=0.03"),
    MIXED("-XX:CompileThresholdScaling=0.1"),
    /** Programs are compiled before they run for the first time; the JDK's code is interpreted. */
    C1FIRST("-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,fuzzed.*::*"),
    C2FIRST("-Xcomp", "-XX:-TieredCompilation", "-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,fuzzed.*::*");

    final List<String> flags;

    Exec(String... flags) {
        this.flags = List.of(flags);
    }
}
