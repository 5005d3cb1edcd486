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
package org.ztera.demo.source;

import java.nio.file.Path;

/**
 * A file that will be indexed.
 *
 * @param file where it is
 * @param name its path below the source tree's root, with slashes
 * @param bytes its size when the tree was listed
 */
public record SourceFile(Path file, String name, long bytes) {

    /** The name's first {@code depth} directories: the place that cross-directory counts are kept for. */
    public static String directory(String name, int depth) {
        int end = -1;
        for (int level = 0; level < depth; level++) {
            int slash = name.indexOf('/', end + 1);
            if (slash < 0) {
                break;
            }
            end = slash;
        }
        return end < 0 ? "" : name.substring(0, end);
    }
}
