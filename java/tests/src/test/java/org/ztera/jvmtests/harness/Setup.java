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
package org.ztera.jvmtests.harness;

import org.ztera.kit.OopMode;

/** One cell of the test matrix. */
public record Setup(Jdk jdk, OopMode oops, Backing backing) {
    /** The setup for tests that do not depend on it. */
    public static final Setup DEFAULT = new Setup(Jdk.RELEASE, OopMode.NARROW, Backing.TIER);

    @Override
    public String toString() {
        return (jdk + "-" + oops + "-" + backing).toLowerCase().replace('_', '-');
    }
}
