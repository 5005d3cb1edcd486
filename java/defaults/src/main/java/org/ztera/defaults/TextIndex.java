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
package org.ztera.defaults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Workload;

/**
 * Lucene's index in the heap, under queries for words of which few are asked for mostly. The directory is tagged; each
 * commit asks for what is new in it to be moved. Merges run in the program's thread, so that the same segments come of
 * the same documents.
 */
final class TextIndex implements Workload {
    /** Measured: of the directory, per document. */
    private static final int DOCUMENT_BYTES = 2_950;
    private static final int DOCUMENTS_PER_COMMIT = 4_000;
    private static final int SENTENCES = 40;
    private static final int QUERIES = 3_000;
    private static final int TOP = 5;
    private static final long LABEL = 1;

    private final SplittableRandom random;
    private final Words words;
    private final Sentences sentences;
    private final Directory directory = new ByteBuffersDirectory();
    private IndexSearcher searcher;

    TextIndex(long seed) {
        random = new SplittableRandom(seed);
        words = new Words(random, 50_000);
        sentences = new Sentences(random, words, 50_000);
    }

    @Override
    public void load(Groups groups) throws IOException {
        try (IndexWriter writer = new IndexWriter(directory, config())) {
            for (int document = 0; groups.wanted(); document += DOCUMENTS_PER_COMMIT) {
                for (int i = 0; i < DOCUMENTS_PER_COMMIT; i++) {
                    writer.addDocument(document(document + i));
                }
                writer.commit();
                groups.finished(directory, LABEL, (long) DOCUMENTS_PER_COMMIT * DOCUMENT_BYTES);
            }
        }
        searcher = new IndexSearcher(DirectoryReader.open(directory));
    }

    /** Small segments: a merge holds its segments three times, and all of that is in the heap. */
    private static IndexWriterConfig config() {
        TieredMergePolicy policy = new TieredMergePolicy();
        policy.setMaxMergedSegmentMB(24);
        return new IndexWriterConfig(new WhitespaceAnalyzer())
                .setMergeScheduler(new SerialMergeScheduler())
                .setMergePolicy(policy);
    }

    private Document document(int number) {
        Document document = new Document();
        document.add(new StoredField("title", number + " " + words.pick(random)));
        document.add(new TextField("words", words.text(random, 20), Field.Store.NO));
        document.add(new BinaryDocValuesField("body", new BytesRef(sentences.text(random, SENTENCES))));
        return document;
    }

    @Override
    public int operations() {
        return QUERIES;
    }

    @Override
    public long operate(int number) {
        try {
            return ask(query());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Query query() {
        Query one = word();
        if (random.nextInt(3) == 0) {
            return one;
        }
        return new BooleanQuery.Builder().add(one, BooleanClause.Occur.MUST).add(word(), BooleanClause.Occur.SHOULD).build();
    }

    private Query word() {
        return new TermQuery(new Term("words", words.pick(random)));
    }

    private long ask(Query query) throws IOException {
        long found = searcher.count(query);
        for (ScoreDoc hit : searcher.search(query, TOP).scoreDocs) {
            found = found * 31 + searcher.storedFields().document(hit.doc).get("title").hashCode();
            found = found * 31 + body(hit.doc).hashCode();
        }
        return found;
    }

    private String body(int document) throws IOException {
        List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
        BinaryDocValues bodies = leaf.reader().getBinaryDocValues("body");
        return bodies.advanceExact(document - leaf.docBase) ? bodies.binaryValue().utf8ToString() : "";
    }
}
