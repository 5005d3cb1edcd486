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

import static org.ztera.lab.web.Trading.number;

import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Booking of flights, without sessions: all is in the database. A customer has a few slots for bookings. The sum of
 * free and booked seats stays.
 */
final class Booking implements Application {
    /** Measured: a customer with all slots, and a flight. */
    private static final int CUSTOMER_BYTES = 1_830;
    private static final int SLOTS = 4;
    private static final int SEATS = 200;
    private static final int CITIES = 40;
    private static final int NOTE_WORDS = 20;

    private final Database database;
    private int customers;

    Booking(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "booking";
    }

    @Override
    public int users() {
        return customers;
    }

    /** There is a flight per customer. */
    @Override
    public int things() {
        return customers;
    }

    @Override
    public void load(long bytes, Sessions sessions, Runnable part) throws SQLException {
        database.change("create table flights(id int primary key, origin int, goal int, free int, info varchar)");
        database.change("create index by_route on flights(origin, goal)");
        database.change("create table bookings(id int primary key, flight int, seats int, note varchar)");
        Texts texts = new Texts(3);
        SplittableRandom random = new SplittableRandom(4);
        customers = (int) Math.max(1, bytes / CUSTOMER_BYTES);
        for (int i = 0; i < customers; i++) {
            database.change("insert into flights values (?, ?, ?, ?, ?)", i, random.nextInt(CITIES),
                    random.nextInt(CITIES), SEATS, texts.text(random, NOTE_WORDS));
            for (int slot = 0; slot < SLOTS; slot++) {
                database.change("insert into bookings values (?, ?, ?, ?)", i * SLOTS + slot, 0, 0,
                        texts.text(random, NOTE_WORDS));
            }
            if (i % (customers / PARTS + 1) == 0) {
                part.run();
            }
        }
    }

    @Override
    public String answer(String page, HttpServletRequest request) throws SQLException {
        return switch (page) {
            case "/search" -> search(number(request, "from", CITIES), number(request, "to", CITIES));
            case "/bookings" -> bookings(number(request, "customer", customers));
            case "/book" -> book(slot(request), number(request, "flight", customers));
            case "/cancel" -> cancel(slot(request));
            default -> null;
        };
    }

    private int slot(HttpServletRequest request) {
        return number(request, "customer", customers) * SLOTS + number(request, "slot", SLOTS);
    }

    private String search(int origin, int goal) throws SQLException {
        return database.list("select id, free, info from flights where origin = ? and goal = ? limit 5",
                row -> "{\"flight\":%d,\"free\":%d,\"info\":\"%s\"}"
                        .formatted(row.getInt(1), row.getInt(2), row.getString(3)), origin, goal);
    }

    private String bookings(int customer) throws SQLException {
        return database.list("select flight, seats, note from bookings where id between ? and ?",
                row -> "{\"flight\":%d,\"seats\":%d,\"note\":\"%s\"}"
                        .formatted(row.getInt(1), row.getInt(2), row.getString(3)),
                customer * SLOTS, customer * SLOTS + SLOTS - 1);
    }

    private String book(int slot, int flight) throws SQLException {
        boolean booked = database.together(() -> {
            int taken = database.change(
                    "update bookings set flight = ?, seats = 1 where id = ? and seats = 0", flight, slot);
            return taken == 1
                    && database.change("update flights set free = free - 1 where id = ? and free > 0", flight) == 1;
        });
        return "{\"booked\":%b}".formatted(booked);
    }

    private String cancel(int slot) throws SQLException {
        boolean cancelled = database.together(() -> {
            if (database.change("update bookings set seats = 0 where id = ? and seats = 1", slot) == 0) {
                return false;
            }
            Integer flight = database.find("select flight from bookings where id = ?", row -> row.getInt(1), slot);
            return database.change("update flights set free = free + 1 where id = ?", flight) == 1;
        });
        return "{\"cancelled\":%b}".formatted(cancelled);
    }

    @Override
    public List<Object> roots() {
        return List.of(database.root());
    }

    @Override
    public long total() throws SQLException {
        return database.sum("select sum(free) from flights") + database.sum("select sum(seats) from bookings");
    }
}
