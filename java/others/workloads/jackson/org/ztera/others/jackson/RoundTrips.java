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
package org.ztera.others.jackson;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.ztera.others.child.Checks;

/**
 * Many documents live; again and again one becomes JSON and comes back, as records and as a tree, and must equal
 * itself. The answer is a checksum of all JSON. Argument: the number of round trips.
 */
public final class RoundTrips {
    private static final int LIVE = 300;

    private RoundTrips() {
    }

    /** Polymorphic, so that type information takes part. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Text.class), @JsonSubTypes.Type(Numbers.class), @JsonSubTypes.Type(Folder.class)})
    public sealed interface Item permits Text, Numbers, Folder {
    }

    public record Text(String name, String content) implements Item {
    }

    public record Numbers(long count, double mean, BigInteger sum, BigDecimal exact, List<Integer> values) implements Item {
    }

    public record Folder(String name, boolean open, Map<String, Item> items, List<Item> order) implements Item {
    }

    public static void main(String[] args) throws JsonProcessingException {
        SplittableRandom random = new SplittableRandom(29);
        ObjectMapper mapper = new ObjectMapper();
        Item[] live = new Item[LIVE];
        for (int i = 0; i < LIVE; i++) {
            live[i] = folder(random, 2);
        }
        CRC32 sum = new CRC32();
        for (int n = Integer.parseInt(args[0]); n > 0; n--) {
            int at = random.nextInt(LIVE);
            if (random.nextInt(10) == 0) {
                live[at] = folder(random, 2);
            }
            String json = mapper.writeValueAsString(live[at]);
            sum.update(json.getBytes(StandardCharsets.UTF_8));
            Item copy = mapper.readValue(json, Item.class);
            Checks.equal(live[at], copy, "the records that came back");
            Checks.equal(live[at].hashCode(), copy.hashCode(), "their hash code");
            JsonNode tree = mapper.readTree(json);
            Checks.equal(tree, mapper.readTree(tree.toPrettyString()), "the tree that came back");
            live[at] = copy;
        }
        Checks.answer("JSON written: " + Long.toHexString(sum.getValue()));
    }

    private static Item item(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 4 : 2)) {
            case 0 -> new Text("name" + random.nextInt(1000), text(random));
            case 1 -> new Numbers(random.nextLong(), random.nextDouble(), BigInteger.valueOf(random.nextLong()).pow(3),
                    BigDecimal.valueOf(random.nextLong(), 7), random.ints(random.nextInt(30)).boxed().toList());
            default -> folder(random, depth - 1);
        };
    }

    /** Every plane of Unicode, and what JSON has to escape. */
    private static String text(SplittableRandom random) {
        StringBuilder s = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            s.appendCodePoint(switch (random.nextInt(6)) {
                case 0 -> random.nextInt(1, 0x80);
                case 1 -> random.nextInt(0x80, 0xd800);
                case 2 -> random.nextInt(0x10000, 0x10ffff);
                default -> random.nextInt('a', 'z' + 1);
            });
        }
        return s.toString();
    }

    private static Folder folder(SplittableRandom random, int depth) {
        Map<String, Item> items = new TreeMap<>();
        List<Item> order = new ArrayList<>();
        for (int i = random.nextInt(1, 7); i > 0; i--) {
            Item item = item(random, depth);
            items.put("key" + random.nextInt(100_000), item);
            order.add(random.nextBoolean() ? item : item(random, 0));
        }
        return new Folder("folder" + random.nextInt(1000), random.nextBoolean(), items, order);
    }
}
