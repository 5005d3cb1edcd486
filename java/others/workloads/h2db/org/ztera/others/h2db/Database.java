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
package org.ztera.others.h2db;

import static org.ztera.others.child.Checks.equal;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.ztera.others.child.Checks;

/**
 * Random transactions on a table with indexes, some rolled back. Questions are answered three ways: by an index, by a
 * scan that cannot use one, and by a sorted map beside the database. Now and then the database is killed and recovers
 * from its file, or is written as a script and read into another, and must hold what the map holds. Argument: the
 * number of transactions.
 */
public final class Database {
    private static final int KEYS = 20_000;

    private record Row(long amount, String name) {
    }

    private final SplittableRandom random = new SplittableRandom(41);
    private final CRC32 answers = new CRC32();
    private TreeMap<Integer, Row> committed = new TreeMap<>();
    private Connection connection;

    private Database() {
    }

    public static void main(String[] args) throws SQLException {
        Database database = new Database();
        database.connection = open("file:./tmp/database");
        database.execute("create table t(id int primary key, amount bigint, name varchar, filler varbinary)");
        database.execute("create index by_amount on t(amount)");
        database.execute("create index by_name on t(name, amount)");
        int transactions = Integer.parseInt(args[0]);
        for (int n = 1; n <= transactions; n++) {
            database.transaction();
            database.ask();
            if (n % (transactions / 4) == 0) {
                database.recover();
                database.scriptInto("mem:copy" + n);
            }
        }
        database.connection.close();
        Checks.answer("answers: " + Long.toHexString(database.answers.getValue()));
    }

    private static Connection open(String where) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:" + where + ";CACHE_SIZE=16384");
        connection.setAutoCommit(false);
        return connection;
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void transaction() throws SQLException {
        TreeMap<Integer, Row> rows = new TreeMap<>(committed);
        try (PreparedStatement merge = connection.prepareStatement("merge into t key(id) values (?, ?, ?, ?)");
                PreparedStatement delete = connection.prepareStatement("delete from t where id = ?")) {
            for (int i = random.nextInt(1, 60); i > 0; i--) {
                int id = random.nextInt(KEYS);
                if (random.nextInt(5) == 0) {
                    delete.setInt(1, id);
                    equal(rows.remove(id) == null ? 0 : 1, delete.executeUpdate(), "rows deleted");
                } else {
                    Row row = new Row(random.nextInt(5000), "name" + random.nextInt(300));
                    merge.setInt(1, id);
                    merge.setLong(2, row.amount);
                    merge.setString(3, row.name);
                    merge.setBytes(4, new byte[random.nextInt(400)]);
                    merge.executeUpdate();
                    rows.put(id, row);
                }
            }
        }
        if (random.nextInt(4) == 0) {
            connection.rollback();
        } else {
            connection.commit();
            committed = rows;
        }
    }

    private void ask() throws SQLException {
        int low = random.nextInt(5000);
        int high = low + random.nextInt(200);
        long[] model = new long[3];
        committed.forEach((id, row) -> {
            if (row.amount >= low && row.amount <= high) {
                model[0]++;
                model[1] += row.amount;
                model[2] += id;
            }
        });
        String wanted = model[0] + " " + model[1] + " " + model[2];
        String sums = "select count(*), coalesce(sum(amount), 0), coalesce(sum(id), 0) from t where ";
        equal(wanted, row(sums + "amount between ? and ?", low, high), "an index's answer");
        equal(wanted, row(sums + "amount + id - id between ? and ?", low, high), "a scan's answer");
        String name = "name" + random.nextInt(300);
        long named = committed.values().stream().filter(r -> r.name.equals(name)).count();
        equal(named + "", row("select count(*) from t where name = '" + name + "' and amount >= ? and id <> ?", 0, -1), "a name's rows");
        equal(row("select count(*) from t a join t b on a.amount = b.id where a.id between ? and ?", low, high + 500),
                row("select count(*) from t a where exists(select 1 from t b where b.id + 0 = a.amount) and a.id between ? and ?", low,
                        high + 500), "a join and a subquery");
        answers.update(wanted.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private String row(String sql, int low, int high) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setInt(1, low);
            query.setInt(2, high);
            try (ResultSet result = query.executeQuery()) {
                result.next();
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    text.append(i == 1 ? "" : " ").append(result.getLong(i));
                }
                return text.toString();
            }
        }
    }

    /**
     * Kills the database, with an open transaction, and opens it again. Committed rows are on disk by then, not before.
     * The database's own writer is off meanwhile: on the stock JDK, too, it may write a table's new rows without their
     * undo log when it runs during the update ({@code WRITE_DELAY=1} shows it within minutes), and such rows outlive
     * the kill.
     */
    private void recover() throws SQLException {
        execute("checkpoint sync");
        execute("set write_delay 0");
        execute("update t set amount = -1");
        execute("shutdown immediately");
        connection = open("file:./tmp/database");
        execute("set write_delay 500");
        compareAll(connection);
    }

    private void scriptInto(String where) throws SQLException {
        execute("script to './tmp/script.sql'");
        try (Connection other = open(where)) {
            try (var statement = other.createStatement()) {
                statement.execute("runscript from './tmp/script.sql'");
            }
            compareAll(other);
        }
    }

    private void compareAll(Connection source) throws SQLException {
        TreeMap<Integer, Row> found = new TreeMap<>();
        try (var statement = source.createStatement(); ResultSet rows = statement.executeQuery("select id, amount, name from t")) {
            while (rows.next()) {
                found.put(rows.getInt(1), new Row(rows.getLong(2), rows.getString(3)));
            }
        }
        equal(committed, found, "all rows");
    }
}
