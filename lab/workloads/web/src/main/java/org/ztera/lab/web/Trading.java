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

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Online trading. A session keeps the shares of a user, the database keeps cash, orders and quotes. A purchase moves
 * money from cash to shares at a price that never changes, so the sum of both stays.
 */
final class Trading implements Application {
    /** Measured: a user with cash, orders and session. */
    private static final int USER_BYTES = 8_600;
    private static final int SYMBOLS = 500;
    private static final int ORDERS = 8;
    private static final int HOLDINGS = 24;
    private static final int NOTE_WORDS = 20;
    private static final long CASH = 1_000_000;
    private static final String PORTFOLIO = "portfolio";

    private final Database database;
    private final Texts texts = new Texts(1);
    private final int[] prices = new int[SYMBOLS];
    private final List<Portfolio> portfolios = new ArrayList<>();

    Trading(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "trading";
    }

    @Override
    public int users() {
        return portfolios.size();
    }

    @Override
    public int things() {
        return SYMBOLS;
    }

    @Override
    public void load(long bytes, Sessions sessions, Runnable part) throws SQLException {
        database.change("create table quotes(id int primary key, price int, company varchar)");
        database.change("create table accounts(id int primary key, cash bigint, profile varchar)");
        database.change("create table orders(id int primary key, symbol int, amount int, note varchar)");
        SplittableRandom random = new SplittableRandom(2);
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            prices[symbol] = random.nextInt(10, 1_000);
            database.change("insert into quotes values (?, ?, ?)", symbol, prices[symbol], texts.text(random, 4));
        }
        int users = (int) Math.max(1, bytes / USER_BYTES);
        for (int user = 0; user < users; user++) {
            insert(user, random);
            Portfolio portfolio = portfolio(random);
            portfolios.add(portfolio);
            sessions.open(user, PORTFOLIO, portfolio);
            if (user % (users / PARTS + 1) == 0) {
                part.run();
            }
        }
    }

    private void insert(int user, SplittableRandom random) throws SQLException {
        database.change("insert into accounts values (?, ?, ?)", user, CASH, texts.text(random, 2 * NOTE_WORDS));
        for (int slot = 0; slot < ORDERS; slot++) {
            database.change("insert into orders values (?, ?, ?, ?)", user * ORDERS + slot, random.nextInt(SYMBOLS),
                    random.nextInt(1, 10), texts.text(random, NOTE_WORDS));
        }
    }

    private Portfolio portfolio(SplittableRandom random) {
        Portfolio portfolio = new Portfolio();
        for (int i = 0; i < HOLDINGS; i++) {
            portfolio.add(random.nextInt(SYMBOLS), random.nextInt(1, 10));
            portfolio.note(texts.text(random, NOTE_WORDS));
        }
        return portfolio;
    }

    @Override
    public String answer(String page, HttpServletRequest request) throws SQLException {
        return switch (page) {
            case "/quote" -> quote(number(request, "symbol", SYMBOLS));
            case "/portfolio" -> portfolio(request);
            case "/orders" -> orders(user(request));
            case "/buy" -> trade(request, 1);
            case "/sell" -> trade(request, -1);
            default -> null;
        };
    }

    private String quote(int symbol) throws SQLException {
        return database.find("select price, company from quotes where id = ?",
                row -> "{\"price\":%d,\"company\":\"%s\"}".formatted(row.getInt(1), row.getString(2)), symbol);
    }

    private String portfolio(HttpServletRequest request) throws SQLException {
        Portfolio portfolio = portfolioOf(request);
        Long cash = database.find("select cash from accounts where id = ?", row -> row.getLong(1), user(request));
        synchronized (portfolio) {
            return "{\"cash\":%d,\"value\":%d,\"note\":\"%s\"}"
                    .formatted(cash, portfolio.value(prices), portfolio.lastNote());
        }
    }

    private String orders(int user) throws SQLException {
        return database.list("select symbol, amount, note from orders where id between ? and ?",
                row -> "{\"symbol\":%d,\"amount\":%d,\"note\":\"%s\"}"
                        .formatted(row.getInt(1), row.getInt(2), row.getString(3)),
                user * ORDERS, user * ORDERS + ORDERS - 1);
    }

    /** Buys or sells one share. The order takes the place of an older one, so that data do not grow. */
    private String trade(HttpServletRequest request, int amount) throws SQLException {
        int symbol = number(request, "symbol", SYMBOLS);
        int user = user(request);
        Portfolio portfolio = portfolioOf(request);
        synchronized (portfolio) {
            if (amount < 0 && portfolio.shares(symbol) == 0) {
                return "{\"traded\":false}";
            }
            String note = texts.text(new SplittableRandom(31L * user + symbol), NOTE_WORDS);
            boolean traded = database.together(() -> {
                long price = (long) amount * prices[symbol];
                int paid = database.change(
                        "update accounts set cash = cash - ? where id = ? and cash >= ?", price, user, price);
                return paid == 1 && database.change("update orders set symbol = ?, amount = ?, note = ? where id = ?",
                        symbol, amount, note, user * ORDERS + symbol % ORDERS) == 1;
            });
            if (traded) {
                portfolio.add(symbol, amount);
                portfolio.note(note);
            }
            return "{\"traded\":%b}".formatted(traded);
        }
    }

    @Override
    public List<Object> roots() {
        return List.of(database.root(), portfolios);
    }

    @Override
    public long total() throws SQLException {
        long value = 0;
        for (Portfolio portfolio : portfolios) {
            synchronized (portfolio) {
                value += portfolio.value(prices);
            }
        }
        return value + database.sum("select sum(cash) from accounts");
    }

    private static Portfolio portfolioOf(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session == null) {
            throw new IllegalArgumentException("no session: the cookie JSESSIONID is user-N");
        }
        return (Portfolio) session.getAttribute(PORTFOLIO);
    }

    /** The number in the name of the session. */
    private static int user(HttpServletRequest request) {
        portfolioOf(request);
        String id = request.getSession(false).getId();
        return Integer.parseInt(id.substring(id.indexOf('-') + 1));
    }

    /** A parameter from 0 to below {@code most}. */
    static int number(HttpServletRequest request, String name, int most) {
        String text = request.getParameter(name);
        return Math.floorMod(text == null ? 0 : Integer.parseInt(text), most);
    }
}
