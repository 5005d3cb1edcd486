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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The index of one part of the source tree: its texts, its symbols and their positions, its trigrams.
 *
 * <p>An ordinary mutable object graph. The second heap needs only that the graph is closed:
 * nothing in it refers to the rest of the program, and the rest refers to the shard only. So it moves as one
 * group, and dies as one when the last reference to the shard goes.
 */
public final class Shard {
    private final long label;
    private final List<FileRecord> files = new ArrayList<>();
    private final Map<String, Symbol> symbols = new HashMap<>();
    private final ArrayList<Symbol> byName = new ArrayList<>();
    private final TrigramIndex trigrams = new TrigramIndex();

    public Shard(long label) {
        this.label = label;
    }

    /** Names the group of objects to the JVM; shards of one area of the tree share it. */
    public long label() {
        return label;
    }

    void add(FileRecord file, TrigramIndex.Scratch scratch) {
        files.add(file);
        trigrams.add(file, scratch);
        Tokenizer tokens = new Tokenizer(file.text());
        for (String token = tokens.next(); token != null; token = tokens.next()) {
            symbols.computeIfAbsent(token, Symbol::new)
                    .add(new Position(file, tokens.line(), tokens.column()));
        }
    }

    /** To be called after the last file was added: gives back spare room and sorts the symbols. */
    void complete(TrigramIndex.Scratch scratch) {
        symbols.values().forEach(Symbol::trim);
        trigrams.complete(scratch);
        byName.clear();
        byName.addAll(symbols.values());
        byName.sort(Comparator.comparing(Symbol::name));
        byName.trimToSize();
    }

    public List<FileRecord> files() {
        return files;
    }

    /** All symbols, sorted by name. */
    public List<Symbol> symbols() {
        return byName;
    }

    /** The symbol with this name, or null. */
    public Symbol symbol(String name) {
        return symbols.get(name);
    }

    /** The symbols whose names begin with the prefix, sorted. */
    public List<Symbol> symbolsFrom(String prefix) {
        int from = Collections.binarySearch(byName, new Symbol(prefix), Comparator.comparing(Symbol::name));
        from = from >= 0 ? from : -from - 1;
        int to = from;
        while (to < byName.size() && byName.get(to).name().startsWith(prefix)) {
            to++;
        }
        return byName.subList(from, to);
    }

    /** The files that may contain a string of at least three characters; a few may not. */
    public List<FileRecord> candidates(String literal) {
        return trigrams.candidates(literal);
    }

    public ShardSize size() {
        return new ShardSize(
                files.size(),
                files.stream().mapToLong(file -> file.text().length()).sum(),
                files.stream().mapToLong(FileRecord::lineCount).sum(),
                symbols.size(),
                byName.stream().mapToLong(symbol -> symbol.positions().size()).sum(),
                trigrams.postings());
    }
}
