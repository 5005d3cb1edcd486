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
package org.ztera.demo.query;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ztera.demo.index.FileRecord;
import org.ztera.demo.index.Position;
import org.ztera.demo.index.SearchIndex;
import org.ztera.demo.index.Shard;
import org.ztera.demo.index.Symbol;
import org.ztera.demo.source.SourceFile;

/** A question that the index answers. The answer does not depend on how the tree was divided. */
public sealed interface Query {

    Answer run(SearchIndex index);

    /** Where a symbol is used. */
    record Exact(String symbol) implements Query {
        @Override
        public Answer run(SearchIndex index) {
            Hits hits = new Hits();
            for (Shard shard : index.shards()) {
                Symbol found = shard.symbol(symbol);
                if (found != null) {
                    found.positions().forEach(hits::add);
                }
            }
            return hits.answer(this);
        }
    }

    /** The symbols that begin with a prefix, and how often each is used. */
    record Prefix(String prefix) implements Query {
        @Override
        public Answer run(SearchIndex index) {
            Map<String, Integer> uses = new TreeMap<>();
            for (Shard shard : index.shards()) {
                for (Symbol symbol : shard.symbolsFrom(prefix)) {
                    uses.merge(symbol.name(), symbol.positions().size(), Integer::sum);
                }
            }
            Hits hits = new Hits();
            uses.forEach((name, count) -> hits.add(name, count, 0));
            return hits.answer(this);
        }
    }

    /** Where a string of at least three characters occurs. */
    record Text(String literal) implements Query {
        @Override
        public Answer run(SearchIndex index) {
            Hits hits = new Hits();
            for (Shard shard : index.shards()) {
                for (FileRecord file : shard.candidates(literal)) {
                    String text = file.text();
                    for (int at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
                        hits.add(file.position(at));
                    }
                }
            }
            return hits.answer(this);
        }
    }

    /** Where a pattern matches; each match contains the literal, which chooses the files to look at. */
    record Regex(String literal, String pattern) implements Query {
        @Override
        public Answer run(SearchIndex index) {
            Pattern compiled = Pattern.compile(pattern, Pattern.MULTILINE);
            Hits hits = new Hits();
            for (Shard shard : index.shards()) {
                for (FileRecord file : shard.candidates(literal)) {
                    Matcher matcher = compiled.matcher(file.text());
                    while (matcher.find()) {
                        hits.add(file.position(matcher.start()));
                    }
                }
            }
            return hits.answer(this);
        }
    }

    /** How often each directory uses a symbol. */
    record Usage(String symbol, int depth) implements Query {
        @Override
        public Answer run(SearchIndex index) {
            Map<String, Integer> uses = new TreeMap<>();
            for (Shard shard : index.shards()) {
                Symbol found = shard.symbol(symbol);
                if (found != null) {
                    for (Position position : found.positions()) {
                        uses.merge(SourceFile.directory(position.file().path(), depth), 1, Integer::sum);
                    }
                }
            }
            Hits hits = new Hits();
            uses.forEach((directory, count) -> hits.add(directory, count, 0));
            return hits.answer(this);
        }
    }

    /** In which lines two symbols are used together. */
    record Together(String first, String second) implements Query {
        @Override
        public Answer run(SearchIndex index) {
            Hits hits = new Hits();
            for (Shard shard : index.shards()) {
                Symbol one = shard.symbol(first);
                Symbol other = shard.symbol(second);
                if (one != null && other != null) {
                    CommonLines.find(one.positions(), other.positions(), hits);
                }
            }
            return hits.answer(this);
        }
    }
}
