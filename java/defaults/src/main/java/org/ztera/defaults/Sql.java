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

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import java.util.SplittableRandom;
import org.ztera.demo.tiers.Groups;
import org.ztera.demo.tiers.Picker;
import org.ztera.demo.tiers.Workload;

/**
 * The H2 database in memory: a table of orders with an index, questions by key, by customer and by range, and now and
 * then an update. The connection is tagged, since that is all of the database that a program has in its hands.
 */
final class Sql implements Workload {
    /** Measured: a row, its texts and its entry in the index. */
    private static final int ROW_BYTES = 1_670;
    private static final int ROWS_PER_COMMIT = 2_000;
    private static final int ROWS_PER_CUSTOMER = 20;
    private static final int QUESTIONS = 40_000;
    private static final int RANGE = 1_000;
    private static final long LABEL = 1;

    private final SplittableRandom random;
    private final Random order;
    private final Sentences sentences;
    private Connection connection;
    private int rows;
    private Picker customers;
    private PreparedStatement byKey;
    private PreparedStatement byCustomer;
    private PreparedStatement byRange;
    private PreparedStatement update;

    Sql(long seed) {
        random = new SplittableRandom(seed);
        order = new Random(seed);
        sentences = new Sentences(random, new Words(random, 20_000), 20_000);
    }

    @Override
    public void load(Groups groups) {
        try {
            fill(groups);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fill(Groups groups) throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("create table orders(id int primary key, customer int, amount bigint, note varchar)");
            statement.execute("create index by_customer on orders(customer)");
        }
        int ofAll = (int) (groups.wantedBytes() / ROW_BYTES / ROWS_PER_CUSTOMER) + 1;
        while (groups.wanted()) {
            insert(ofAll);
            groups.finished(connection, LABEL, (long) ROWS_PER_COMMIT * ROW_BYTES);
        }
        customers = Picker.zipf(ofAll, order);
        byKey = connection.prepareStatement("select amount, note from orders where id = ?");
        byCustomer = connection.prepareStatement("select count(*), sum(amount) from orders where customer = ?");
        byRange = connection.prepareStatement("select sum(amount), max(note) from orders where id between ? and ?");
        update = connection.prepareStatement("update orders set amount = amount + 1 where id = ?");
    }

    private void insert(int ofAll) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into orders values (?, ?, ?, ?)")) {
            for (int i = 0; i < ROWS_PER_COMMIT; i++) {
                insert.setInt(1, rows++);
                insert.setInt(2, random.nextInt(ofAll));
                insert.setLong(3, random.nextInt(100_000));
                insert.setString(4, sentences.text(random, 20));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
    }

    @Override
    public int operations() {
        return QUESTIONS;
    }

    @Override
    public long operate(int number) {
        try {
            return switch (number % 40) {
                case 0 -> answer(byRange, random.nextInt(rows), RANGE);
                case 1, 2, 3, 4 -> change();
                case 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 -> answer(byKey, random.nextInt(rows), 0);
                default -> answer(byCustomer, customers.pick(order), 0);
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long change() throws SQLException {
        update.setInt(1, random.nextInt(rows));
        int changed = update.executeUpdate();
        connection.commit();
        return changed;
    }

    private static long answer(PreparedStatement query, int first, int range) throws SQLException {
        query.setInt(1, first);
        if (range > 0) {
            query.setInt(2, first + range);
        }
        try (ResultSet result = query.executeQuery()) {
            long found = 0;
            while (result.next()) {
                found = found * 31 + result.getLong(1);
                found = found * 31 + String.valueOf(result.getString(2)).hashCode();
            }
            return found;
        }
    }
}
