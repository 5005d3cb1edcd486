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

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Class paths for children. */
public final class ClassPath {
    private ClassPath() {}

    /** The folders or jars from which this JVM has these classes. */
    public static String of(Class<?>... classes) {
        return Arrays.stream(classes).map(ClassPath::origin).distinct().collect(Collectors.joining(File.pathSeparator));
    }

    private static String origin(Class<?> c) {
        try {
            return Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI()).toAbsolutePath().toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
