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
package org.ztera.demo.tiers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ztera.demo.index.SearchIndex;
import org.ztera.demo.index.Shard;
import org.ztera.demo.index.ShardBuilder;
import org.ztera.demo.index.Symbol;
import org.ztera.demo.query.Answer;
import org.ztera.demo.query.Query;
import org.ztera.demo.source.ShardPlan;
import org.ztera.demo.source.SourceFile;
import org.ztera.demo.source.SourceTree;

/**
 * The demo's index. Each question is put to one shard, as if by somebody who works in that directory, and is about a
 * symbol that occurs there. The choice of shard and symbol, skewed or not.
 */
final class CodeWorkload implements Workload {
    /** Small shards: the first heap must hold one, and what building it leaves behind. */
    private static final long PART_BYTES = 1 << 20;
    /** Ten bytes of OpenJDK's source become 73 bytes of index in shards that small, their text included. */
    private static final long LIVE_PER_10_SOURCE_BYTES = 73;
    private static final int WORDS_PER_SHARD = 200;
    private static final int QUESTIONS = 30_000;
    private static final int SHORTEST_TEXT = 3;

    private final Path source;
    private final boolean skewed;
    private final long seed;
    private final List<SearchIndex> shards = new ArrayList<>();
    private final List<String[]> words = new ArrayList<>();
    private Random random;
    private Picker shardPicker;
    private Picker wordPicker;

    CodeWorkload(Path source, boolean skewed, long seed) {
        this.source = source;
        this.skewed = skewed;
        this.seed = seed;
    }

    @Override
    public void load(Groups groups) throws IOException {
        ShardBuilder builder = new ShardBuilder();
        for (ShardPlan.Area area : plan(groups.wantedBytes() * 10 / LIVE_PER_10_SOURCE_BYTES)) {
            for (ShardPlan.Part part : area.parts()) {
                Shard shard = builder.build(part, 0, _ -> {});
                if (!shard.symbols().isEmpty()) {
                    add(shard);
                    groups.finished(shard, part.bytes() * LIVE_PER_10_SOURCE_BYTES / 10);
                }
            }
        }
        random = new Random(seed);
        shardPicker = picker(shards.size());
        wordPicker = picker(WORDS_PER_SHARD);
    }

    /** Without files that are larger than a part: the first heap could not hold their index while it is built. */
    private List<ShardPlan.Area> plan(long sourceBytes) throws IOException {
        List<SourceFile> files = SourceTree.list(source);
        files.removeIf(file -> file.bytes() > PART_BYTES);
        return ShardPlan.of(files, PART_BYTES, sourceBytes);
    }

    private void add(Shard shard) {
        SearchIndex alone = new SearchIndex();
        alone.add(shard);
        shards.add(alone);
        words.add(someWords(shard.symbols()));
    }

    /** Copies: a shard that shared a string with the rest of the program would be no closed group. */
    private static String[] someWords(List<Symbol> symbols) {
        String[] some = new String[WORDS_PER_SHARD];
        for (int i = 0; i < some.length; i++) {
            some[i] = new String(symbols.get((int) ((long) i * symbols.size() / some.length)).name().toCharArray());
        }
        return some;
    }

    private Picker picker(int bound) {
        return skewed ? Picker.zipf(bound, random) : Picker.uniform(bound);
    }

    @Override
    public int operations() {
        return QUESTIONS;
    }

    @Override
    public long operate(int number) {
        int shard = shardPicker.pick(random);
        String word = words.get(shard)[wordPicker.pick(random)];
        String other = words.get(shard)[wordPicker.pick(random)];
        Answer answer = question(number % 10, word, other).run(shards.get(shard));
        return answer.digest() * 31 + answer.hits();
    }

    private static Query question(int kind, String word, String other) {
        return switch (kind) {
            case 0 -> new Query.Prefix(word);
            case 1 -> word.length() < SHORTEST_TEXT ? new Query.Exact(word) : new Query.Text(word);
            case 2, 3 -> new Query.Together(word, other);
            default -> new Query.Exact(word);
        };
    }
}
