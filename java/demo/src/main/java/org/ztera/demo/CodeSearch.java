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
import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;
import org.ztera.demo.index.Shard;
import org.ztera.demo.index.ShardSize;
import org.ztera.demo.query.Answer;
import org.ztera.demo.query.Checksum;
import org.ztera.demo.query.Query;
import org.ztera.demo.query.QueryList;
import org.ztera.demo.source.ShardPlan;
import org.ztera.demo.source.SourceTree;

/**
 * Code search in memory: indexes a source tree, answers a fixed list of queries, and prints one line of
 * JSON with a checksum of all answers.
 *
 * <p>The program is written as it would be without ZTera. The one exception is {@link Placement}, which
 * tells the JVM about each finished shard.
 */
public final class CodeSearch {
    private final Options options;
    private final List<ShardPlan.Area> areas;
    private final Indexer indexer;
    private final Json report = new Json();

    private CodeSearch(Options options) throws IOException {
        this.options = options;
        this.areas = ShardPlan.of(SourceTree.list(options.source()), options.shardBytes(), options.maxBytes());
        this.indexer = new Indexer(areas, options.placement());
        if (areas.isEmpty()) {
            throw new IOException("no source files below " + options.source());
        }
    }

    public static void main(String[] args) throws IOException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
            return;
        }
        System.out.println(new CodeSearch(options).run());
    }

    /** All phases in their order. @return the report, one line of JSON */
    static String run(Options options) throws IOException {
        return new CodeSearch(options).run();
    }

    private String run() throws IOException {
        report.put("h2_enabled", H2.isEnabled());
        load();
        query();
        reindex();
        return report.toString();
    }

    private void load() throws IOException {
        long start = System.nanoTime();
        indexer.load();
        report.put("load_seconds", secondsSince(start));

        LiveHeap live = LiveHeap.measure();
        ShardSize size = indexer.index().shards().stream().map(Shard::size).reduce(ShardSize.ZERO, ShardSize::plus);
        report.put("live_bytes", live.total())
                .put("h1_live_bytes", live.h1())
                .put("h2_used_bytes", live.h2())
                .put("areas", areas.size())
                .put("shards", indexer.index().shards().size())
                .put("source_bytes", areas.stream().mapToLong(ShardPlan.Area::bytes).sum())
                .put("files", size.files())
                .put("lines", size.lines())
                .put("symbols", size.symbols())
                .put("postings", size.positions())
                .put("trigram_postings", size.trigramPostings())
                .put("h2_after_load", H2Report.json(H2.stats()));
    }

    private void query() throws IOException {
        List<Query> queries = QueryList.all();
        Progress progress = new Progress("query", (long) queries.size() * options.rounds());
        List<Answer> answers = List.of();
        long start = System.nanoTime();
        for (int round = 0; round < options.rounds(); round++) {
            answers = ask(queries, progress);
        }
        report.put("query_seconds", secondsSince(start))
                .put("queries", (long) queries.size() * options.rounds())
                .put("hits", answers.stream().mapToLong(Answer::hits).sum())
                .put("checksum", Checksum.of(answers))
                .put("h2_after_queries", H2Report.json(H2.stats()));
        if (options.answers() != null) {
            Files.write(options.answers(), answers.stream().map(Answer::toString).toList());
        }
    }

    /** Drops one area, lets it die, indexes it again, and asks again: the answers must be the same. */
    private void reindex() throws IOException {
        int area = options.reindex().isEmpty() ? -1 : indexer.find(options.reindex());
        if (area < 0) {
            return;
        }
        long start = System.nanoTime();
        H2.Stats before = H2.stats();
        indexer.drop(area);
        LiveHeap dropped = LiveHeap.measure();
        H2.Stats after = H2.stats();
        indexer.reload(area);
        String checksum = Checksum.of(ask(QueryList.all(), new Progress("requery", QueryList.all().size())));
        report.put("reindex", new Json()
                .put("area", areas.get(area).name())
                .put("seconds", secondsSince(start))
                .put("live_bytes_without", dropped.total())
                .put("regions_freed", after.regionsFreed() - before.regionsFreed())
                .put("h2_bytes_freed", before.usedBytes() - after.usedBytes())
                .put("checksum", checksum));
    }

    private List<Answer> ask(List<Query> queries, Progress progress) {
        List<Answer> answers = new ArrayList<>();
        for (Query query : queries) {
            answers.add(query.run(indexer.index()));
            progress.add(1, query.toString());
        }
        return answers;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
