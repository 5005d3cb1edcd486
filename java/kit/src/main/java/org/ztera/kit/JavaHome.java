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

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A JDK: a stock one, or a view that {@code make} built.
 *
 * @param path its folder, made absolute
 */
public record JavaHome(Path path) {
    /** @throws IllegalArgumentException if the folder has no JVM; the message says how views are built */
    public JavaHome {
        path = path.toAbsolutePath().normalize();
        if (!Files.isExecutable(path.resolve("bin/java"))) {
            throw new IllegalArgumentException("no JVM at " + path + " (`make jdk fastdebug` builds the views)");
        }
    }

    /** The JDK that runs this code. */
    public static JavaHome current() {
        return new JavaHome(Path.of(System.getProperty("java.home")));
    }

    /** One of its programs. */
    public Path tool(String name) {
        return path.resolve("bin", name);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
