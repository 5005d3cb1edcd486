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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ztera.demo.SmallTree;
import org.ztera.demo.index.SearchIndex;
import org.ztera.demo.index.ShardBuilder;
import org.ztera.demo.source.ShardPlan;
import org.ztera.demo.source.SourceTree;

class QueryTest {
    @TempDir
    Path dir;

    private SearchIndex index;

    @BeforeEach
    void indexSmallTree() throws IOException {
        SmallTree.create(dir);
        index = index(1 << 20);
    }

    @Test
    void hits() {
        assertEquals(7, hits(new Query.Exact("HashMap")));
        assertEquals(0, hits(new Query.Exact("absent")));
        assertEquals(2, hits(new Query.Prefix("compute")));
        assertEquals(1, hits(new Query.Text("card table")));
        assertEquals(1, hits(new Query.Text("Grüße")));
        assertEquals(2, hits(new Query.Text("computeA")) + hits(new Query.Text("computeI")));
        assertEquals(1, hits(new Query.Regex("extends AbstractMap", "^class \\w+ extends AbstractMap")));
        assertEquals(4, hits(new Query.Usage("HashMap", 2)), "directories");
        assertEquals(2, hits(new Query.Usage("HashMap", 1)) - 1, "src and test, and the root");
        assertEquals(2, hits(new Query.Together("HashMap", "map")));
    }

    @Test
    void answersDoNotDependOnHowTheTreeIsDivided() throws IOException {
        List<Answer> whole = answers(index);
        for (long partBytes : new long[] {1, 50, 200}) {
            assertEquals(whole, answers(index(partBytes)));
        }
    }

    @Test
    void aChangedPlaceChangesTheDigest() {
        Answer map = new Query.Exact("map").run(index);
        Answer map2 = new Query.Exact("other").run(index);
        assertNotEquals(map.digest(), map2.digest());
    }

    @Test
    void theChecksumIsThatOfAllAnswers() {
        List<Answer> answers = answers(index);
        assertEquals(Checksum.of(answers), Checksum.of(answers(index)));
        assertNotEquals(Checksum.of(answers), Checksum.of(answers.subList(1, answers.size())));
        assertEquals(16, Checksum.of(answers).length());
    }

    private long hits(Query query) {
        return query.run(index).hits();
    }

    private static List<Answer> answers(SearchIndex index) {
        return QueryList.all().stream().map(query -> query.run(index)).toList();
    }

    private SearchIndex index(long partBytes) throws IOException {
        SearchIndex index = new SearchIndex();
        for (ShardPlan.Area area : ShardPlan.of(SourceTree.list(dir), partBytes, Long.MAX_VALUE)) {
            for (ShardPlan.Part part : area.parts()) {
                index.add(new ShardBuilder().build(part, 0, _ -> {}));
            }
        }
        return index;
    }
}
