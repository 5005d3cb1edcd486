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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/** A store of documents as Jackson's trees, read from text: few are asked for mostly, and some are replaced. */
final class Documents implements Workload {
    /** Measured: a tree, and its place in the list. */
    private static final int DOCUMENT_BYTES = 2_740;
    private static final int DOCUMENTS_AT_ONCE = 1_000;
    private static final int MOST_ITEMS = 8;
    private static final int OPERATIONS = 2_000;
    private static final int QUESTIONS = 200;
    private static final int UPDATE_EACH = 50;

    private final SplittableRandom random;
    private final Random order;
    private final Words words;
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<JsonNode> documents = new ArrayList<>();
    private Picker picker;

    Documents(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        words = new Words(random, 20_000);
    }

    @Override
    public void load(Groups groups) {
        while (groups.wanted()) {
            for (int i = 0; i < DOCUMENTS_AT_ONCE; i++) {
                documents.add(parsed(documents.size()));
            }
            groups.finished(documents, (long) DOCUMENTS_AT_ONCE * DOCUMENT_BYTES);
        }
        picker = Picker.zipf(documents.size(), order);
    }

    private JsonNode parsed(int number) {
        try {
            return mapper.readTree(mapper.writeValueAsString(order(number)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private ObjectNode order(int number) {
        ObjectNode order = mapper.createObjectNode().put("number", number).put("customer", words.text(random, 2));
        order.putObject("address").put("street", words.text(random, 2)).put("town", words.pick(random)).put("code", random.nextInt(99_999));
        ArrayNode items = order.putArray("items");
        for (int i = 1 + random.nextInt(MOST_ITEMS); i > 0; i--) {
            items.addObject().put("name", words.text(random, 3)).put("cents", random.nextInt(100_000)).put("count", random.nextInt(9));
        }
        return order;
    }

    @Override
    public int operations() {
        return OPERATIONS;
    }

    @Override
    public long operate(int number) {
        long found = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            int at = picker.pick(order);
            if (i % UPDATE_EACH == 0) {
                documents.set(at, parsed(at));
            }
            for (JsonNode item : documents.get(at).get("items")) {
                found = found * 31 + item.get("cents").asLong() * item.get("count").asLong() + item.get("name").asText().length();
            }
        }
        return found;
    }
}
