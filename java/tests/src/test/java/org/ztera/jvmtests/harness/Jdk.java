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

import java.nio.file.Path;
import org.ztera.kit.JavaHome;

/** The JVMs under test. */
public enum Jdk {
    /** The view that is used. */
    RELEASE("ztera.jdk"),
    /** The same with the VM's own assertions. */
    FASTDEBUG("ztera.jdk.fastdebug");

    /** Whether the children run on a stock JVM, where nothing is asked about H2. */
    public static final boolean STOCK = Boolean.getBoolean("ztera.stock");

    private final String property;

    Jdk(String property) {
        this.property = property;
    }

    /**
     * Its home.
     *
     * @throws AssertionError that says what to build if there is none
     */
    public JavaHome home() {
        String used = STOCK ? RELEASE.property : property;
        try {
            return new JavaHome(Path.of(System.getProperty(used, "")));
        } catch (IllegalArgumentException e) {
            throw new AssertionError(e.getMessage() + "; another place is given with -D" + used + "=PATH", e);
        }
    }
}
