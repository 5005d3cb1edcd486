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

import java.nio.file.Files;
import java.nio.file.Path;

/** The JVMs under test. */
public enum Jdk {
    /** The view that is used. */
    RELEASE("ztera.jdk", "`make` builds it as build/jdk"),
    /** The same with the VM's own assertions. */
    FASTDEBUG("ztera.jdk.fastdebug", "`make fastdebug` builds it as build/jdk-fastdebug");

    /** Whether the children run on a stock JVM, where nothing is asked about H2. */
    public static final boolean STOCK = Boolean.getBoolean("ztera.stock");

    private final String property;
    private final String remedy;

    Jdk(String property, String remedy) {
        this.property = property;
        this.remedy = remedy;
    }

    /**
     * Its home.
     *
     * @throws AssertionError that says what to build if there is none
     */
    public Path home() {
        String value = System.getProperty(STOCK ? RELEASE.property : property, "");
        Path home = Path.of(value).toAbsolutePath().normalize();
        if (value.isEmpty() || !Files.isExecutable(home.resolve("bin/java"))) {
            throw new AssertionError("this test needs a ZTera JVM (" + name().toLowerCase() + ") and there is none at '"
                    + value + "': " + remedy + "; another place is given with -D" + property + "=PATH");
        }
        return home;
    }

    /** One of its programs. */
    public Path tool(String name) {
        return home().resolve("bin").resolve(name);
    }
}
