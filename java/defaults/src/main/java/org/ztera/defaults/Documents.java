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

/** A store of documents as Jackson's trees, read from text. */
final class Documents extends Lookups {
    private static final int MOST_ITEMS = 8;

    private final Words words = new Words(random, 20_000);
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<JsonNode> documents = new ArrayList<>();

    Documents(long seed) {
        super(seed, new Load(1_000, 2_740), new Questions(2_000, 200, 50));
    }

    @Override
    Object root() {
        return documents;
    }

    @Override
    void add(int from, int to) {
        for (int number = from; number < to; number++) {
            documents.add(parsed(number));
        }
    }

    @Override
    void update(int number) {
        documents.set(number, parsed(number));
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
    long read(int number, int turn) {
        long found = 0;
        for (JsonNode item : documents.get(number).get("items")) {
            found = found * 31 + item.get("cents").asLong() * item.get("count").asLong() + item.get("name").asText().length();
        }
        return found;
    }
}
