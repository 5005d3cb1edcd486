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

import java.io.IOException;
import java.time.Duration;

/** Decides whether a child hangs. It is asked again and again while the child runs. */
@FunctionalInterface
public interface HangRule {
    /** Whether the child hangs now. */
    boolean hangs(Child child) throws IOException;

    /** A child that has not ended so long after now hangs. */
    static HangRule after(Duration limit) {
        long start = System.nanoTime();
        return child -> System.nanoTime() - start > limit.toNanos();
    }
}
