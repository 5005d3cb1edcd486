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
package org.ztera.others;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ztera.kit.Folders;

/** A folder of files, by the SHA-256 of each. */
record Answer(SortedMap<String, String> digests) {

    static Answer of(Path folder) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        for (Path file : Folders.files(folder, "")) {
            digests.put(folder.relativize(file).toString(), digest(Files.readAllBytes(file)));
        }
        return new Answer(digests);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** The first few files that are not the same in the two. */
    String difference(Answer other) {
        TreeSet<String> names = new TreeSet<>(digests.keySet());
        names.addAll(other.digests.keySet());
        return names.stream().filter(n -> !digests.getOrDefault(n, "").equals(other.digests.getOrDefault(n, ""))).limit(5)
                .collect(Collectors.joining(", "));
    }
}
