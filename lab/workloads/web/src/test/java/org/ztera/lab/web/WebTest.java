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
package org.ztera.lab.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebTest {
    private static final long BYTES = 1 << 20;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Server start(String name, long bytes) throws Exception {
        return Server.start(Main.application(name), bytes, 0);
    }

    private static HttpResponse<String> get(Server server, String page, int user) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + page))
                .header("Cookie", "JSESSIONID=user-" + user).build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String body(Server server, String page, int user) throws Exception {
        HttpResponse<String> response = get(server, page, user);
        assertEquals(200, response.statusCode(), page);
        return response.body();
    }

    /** All but the port. */
    private static String data(String name, long bytes) throws Exception {
        try (Server server = start(name, bytes)) {
            return server.ready().replaceAll("\"port\":\\d+", "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"trading", "booking"})
    void theSameBytesMakeTheSameData(String name) throws Exception {
        assertEquals(data(name, BYTES), data(name, BYTES));
        assertNotEquals(data(name, BYTES), data(name, 2 * BYTES));
    }

    @Test
    void aPurchaseMovesMoneyFromCashToShares() throws Exception {
        try (Server server = start("trading", BYTES)) {
            String before = body(server, "/portfolio", 7);
            assertEquals("{\"traded\":true}", body(server, "/buy?symbol=3", 7));
            assertNotEquals(before, body(server, "/portfolio", 7));
            assertEquals("{\"traded\":true}", body(server, "/sell?symbol=3", 7));
            assertEquals(before.replaceAll(",\"note.*", ""), body(server, "/portfolio", 7).replaceAll(",\"note.*", ""));
            assertTrue(body(server, "/orders", 7).contains("\"symbol\":3,\"amount\":-1"));
        }
    }

    @Test
    void aTraderWithoutSessionIsRefused() throws Exception {
        try (Server server = start("trading", BYTES)) {
            assertEquals(500, get(server, "/portfolio", 1_000_000).statusCode());
            assertEquals(200, get(server, "/quote?symbol=1", 1_000_000).statusCode());
            assertEquals(404, get(server, "/no-such-page", 1).statusCode());
        }
    }

    @Test
    void aStockJvmHasNoSecondHeap() throws Exception {
        try (Server server = start("booking", BYTES)) {
            assertEquals("{\"used\":0,\"ssd_read\":0,\"ssd_written\":0}", body(server, "/heap", 0));
        }
    }

    @Test
    void aSlotHoldsOneBooking() throws Exception {
        try (Server server = start("booking", BYTES)) {
            String book = "/book?customer=5&slot=1&flight=9";
            assertEquals("{\"booked\":true}", body(server, book, 0));
            assertEquals("{\"booked\":false}", body(server, book, 0));
            assertTrue(body(server, "/bookings?customer=5", 0).contains("\"flight\":9,\"seats\":1"));
            assertEquals("{\"cancelled\":true}", body(server, "/cancel?customer=5&slot=1", 0));
            assertEquals("{\"cancelled\":false}", body(server, "/cancel?customer=5&slot=1", 0));
            assertTrue(IntStream.range(0, 40).anyMatch(to -> finds(server, to)));
        }
    }

    private static boolean finds(Server server, int to) {
        try {
            return body(server, "/search?from=1&to=" + to, 0).contains("\"free\":200");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The books are right after many users did this and that at once. */
    @ParameterizedTest
    @ValueSource(strings = {"trading", "booking"})
    void theTotalStays(String name) throws Exception {
        List<String> pages = List.of("/buy?symbol=%d", "/sell?symbol=%d", "/book?customer=%d&slot=1&flight=7",
                "/cancel?customer=%d&slot=1");
        try (Server server = start(name, BYTES)) {
            IntStream.range(0, 400).parallel().forEach(number -> {
                int choice = new SplittableRandom(number).nextInt(2) + (name.equals("trading") ? 0 : 2);
                try {
                    body(server, pages.get(choice).formatted(number % 20), number % 10);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            String total = server.ready().replaceAll(".*\"total\":(\\d+).*", "$1");
            assertEquals("{\"expected\":%s,\"found\":%s}".formatted(total, total), body(server, "/verify", 0));
        }
    }
}
