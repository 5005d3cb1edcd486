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
package org.ztera.others.lucene;

import static org.ztera.others.child.Checks.equal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.ztera.others.child.Checks;

/**
 * Documents of random words come, change and go in an index that lies in the heap, and each search must find what a
 * walk over the documents finds; in the end Lucene checks the whole index itself. Argument: rounds, each of changes and
 * searches.
 */
public final class Search {
    private static final int IDS = 4000;
    private static final int WORDS = 400;

    private record Text(List<String> words, int number) {
    }

    private final SplittableRandom random = new SplittableRandom(53);
    private final TreeMap<Integer, Text> documents = new TreeMap<>();
    private final ByteBuffersDirectory directory = new ByteBuffersDirectory();

    private Search() {
    }

    public static void main(String[] args) throws IOException {
        new Search().run(Integer.parseInt(args[0]));
    }

    private void run(int rounds) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer()).setMergeScheduler(new SerialMergeScheduler())
                .setMaxBufferedDocs(150).setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
        long found = 0;
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int n = 0; n < rounds; n++) {
                for (int i = 0; i < 300; i++) {
                    change(writer);
                }
                try (DirectoryReader reader = DirectoryReader.open(writer)) {
                    found += search(new IndexSearcher(reader));
                }
                if (n % 20 == 19) {
                    writer.commit();
                }
            }
        }
        try (CheckIndex check = new CheckIndex(directory)) {
            CheckIndex.Status status = check.checkIndex();
            Checks.check(status.clean, "CheckIndex says that the index is broken");
            equal(0, status.totLoseDocCount, "documents that CheckIndex misses");
        }
        Checks.answer(documents.size() + " documents, found in all: " + found);
    }

    private void change(IndexWriter writer) throws IOException {
        int id = (int) (IDS * Math.sqrt(random.nextDouble()));
        Term term = new Term("id", Integer.toString(id));
        if (random.nextInt(5) == 0) {
            writer.deleteDocuments(term);
            documents.remove(id);
            return;
        }
        Text text = new Text(words(), random.nextInt(10_000));
        Document document = new Document();
        document.add(new StringField("id", term.text(), Field.Store.YES));
        document.add(new TextField("text", String.join(" ", text.words), Field.Store.YES));
        document.add(new IntField("number", text.number, Field.Store.NO));
        writer.updateDocument(term, document);
        documents.put(id, text);
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        for (int i = random.nextInt(5, 80); i > 0; i--) {
            words.add(word());
        }
        return words;
    }

    private String word() {
        return "w" + (int) (WORDS * Math.pow(random.nextDouble(), 2));
    }

    private long search(IndexSearcher searcher) throws IOException {
        equal(documents.size(), searcher.getIndexReader().numDocs(), "documents");
        long found = 0;
        for (int i = 0; i < 5; i++) {
            String a = word();
            String b = word();
            int low = random.nextInt(10_000);
            int high = low + random.nextInt(1000);
            found += compare(searcher, new TermQuery(new Term("text", a)), t -> t.words.contains(a));
            found += compare(searcher, new PhraseQuery("text", a, b), t -> hasPhrase(t.words, a, b));
            found += compare(searcher, IntField.newRangeQuery("number", low, high), t -> t.number >= low && t.number <= high);
            Query both = new BooleanQuery.Builder().add(new TermQuery(new Term("text", a)), Occur.MUST)
                    .add(new TermQuery(new Term("text", b)), Occur.MUST_NOT).build();
            found += compare(searcher, both, t -> t.words.contains(a) && !t.words.contains(b));
        }
        return found;
    }

    private static boolean hasPhrase(List<String> words, String a, String b) {
        for (int i = 1; i < words.size(); i++) {
            if (words.get(i - 1).equals(a) && words.get(i).equals(b)) {
                return true;
            }
        }
        return false;
    }

    private long compare(IndexSearcher searcher, Query query, java.util.function.Predicate<Text> wanted) throws IOException {
        TreeSet<Integer> found = new TreeSet<>();
        for (ScoreDoc hit : searcher.search(query, IDS).scoreDocs) {
            Document document = searcher.storedFields().document(hit.doc);
            int id = Integer.parseInt(document.get("id"));
            equal(String.join(" ", documents.get(id).words), document.get("text"), "the stored text of " + id);
            found.add(id);
        }
        TreeSet<Integer> expected = new TreeSet<>();
        documents.forEach((id, text) -> {
            if (wanted.test(text)) {
                expected.add(id);
            }
        });
        equal(expected, found, query.toString());
        return found.size();
    }
}
