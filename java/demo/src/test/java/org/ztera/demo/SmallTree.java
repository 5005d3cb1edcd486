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
package org.ztera.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A source tree of a few files whose right answers can be seen by reading. */
public final class SmallTree {
    private static final Map<String, String> FILES = Map.of(
            "src/java.base/A.java", """
                    class A extends AbstractMap {
                        HashMap map; // HashMap of A
                        int computeAll() { return computeIfAbsent(map); }
                    }
                    """,
            "src/java.base/B.java", "class B { A a; HashMap other; }\n",
            "src/hotspot/share/oop.cpp", "#include <sys/mman.h>\nvoid oopDesc::verify() { guarantee(true); }\n",
            "src/hotspot/share/heap.hpp", "// the card table\nclass HashMap;",
            "test/jdk/T.java", "// TODO: Grüße\nclass T { HashMap map; HashMap map2; }\n",
            "test/jdk/picture.png", "HashMap is not looked for here",
            "build/generated/G.java", "class HashMap {}",
            ".git/description.txt", "HashMap",
            "README.md", "The HashMap manual");

    private SmallTree() {
    }

    /** Writes the tree below {@code root}. */
    public static Path create(Path root) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return root;
    }
}
