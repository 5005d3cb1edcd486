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
package org.ztera.demo.index;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For each three characters in a row the files that contain them, to find the few files worth searching
 * for a string. Characters count as the same if {@link #next} makes the same six bits of them, such as upper
 * and lower case, so a file that is found may still not contain the string.
 */
final class TrigramIndex {
    private static final int BITS = 6;
    private static final int MASK = (1 << 3 * BITS) - 1;
    /**
     * Added to each key. The JDK has one shared object for each small Integer; an index that used them
     * would share them with the rest of the program.
     */
    private static final int KEY_BASE = MASK + 1;

    /** With so few candidates it is quicker to look into them than to exclude some more. */
    private static final int FEW = 2;
    private static final ArrayList<FileRecord> NO_FILES = new ArrayList<>();

    private final Map<Integer, ArrayList<FileRecord>> files = new HashMap<>();

    /** Reused between files and indexes; what builds an index needs it, the index does not. */
    static final class Scratch {
        private final BitSet seen = new BitSet(MASK + 1);
        /** The lists of the index that is being built, by trigram: looking each up in its map takes far longer. */
        private final List<ArrayList<FileRecord>> lists = new ArrayList<>(Collections.nCopies(MASK + 1, null));
    }

    void add(FileRecord file, Scratch scratch) {
        BitSet seen = scratch.seen;
        String text = file.text();
        int trigram = 0;
        for (int at = 0; at < text.length(); at++) {
            trigram = next(trigram, text.charAt(at));
            if (at >= 2) {
                seen.set(trigram);
            }
        }
        for (int t = seen.nextSetBit(0); t >= 0; t = seen.nextSetBit(t + 1)) {
            ArrayList<FileRecord> list = scratch.lists.get(t);
            if (list == null) {
                list = new ArrayList<>(4);
                scratch.lists.set(t, list);
                files.put(KEY_BASE + t, list);
            }
            list.add(file);
        }
        seen.clear();
    }

    /** To be called after the last file was added. */
    void complete(Scratch scratch) {
        Collections.fill(scratch.lists, null);
        files.values().forEach(ArrayList::trimToSize);
    }

    long postings() {
        return files.values().stream().mapToLong(List::size).sum();
    }

    /** The files that may contain a string of at least three characters. */
    List<FileRecord> candidates(String literal) {
        List<FileRecord> candidates = null;
        int trigram = 0;
        for (int at = 0; at < literal.length(); at++) {
            trigram = next(trigram, literal.charAt(at));
            if (at < 2) {
                continue;
            }
            List<FileRecord> found = files.getOrDefault(KEY_BASE + trigram, NO_FILES);
            candidates = candidates == null ? found : intersect(candidates, found);
            if (candidates.size() <= FEW) {
                break;
            }
        }
        return candidates == null ? List.of() : candidates;
    }

    /** Both lists are in the order in which the files were added. */
    private static List<FileRecord> intersect(List<FileRecord> first, List<FileRecord> second) {
        List<FileRecord> both = new ArrayList<>();
        int from = 0;
        for (FileRecord file : first) {
            int found = indexOf(second, file, from);
            if (found >= 0) {
                both.add(file);
                from = found + 1;
            }
        }
        return both;
    }

    private static int indexOf(List<FileRecord> files, FileRecord file, int from) {
        for (int i = from; i < files.size(); i++) {
            if (files.get(i) == file) {
                return i;
            }
        }
        return -1;
    }

    /** The trigram that ends with {@code c}, after the one before it. */
    private static int next(int trigram, char c) {
        // ASCII comes in rows of 32: white space, digits and signs, upper case, lower case.
        int folded = c >= 64 ? c & 31 : Math.max(c, ' ');
        return (trigram << BITS | folded) & MASK;
    }
}
