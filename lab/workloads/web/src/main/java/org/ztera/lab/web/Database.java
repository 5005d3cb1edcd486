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

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;

/** A database in memory. Each thread has its own connection, with its statements prepared. */
final class Database {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url = "jdbc:h2:mem:web" + COUNT.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    private final ThreadLocal<Session> sessions = ThreadLocal.withInitial(this::open);

    /** A connection and its statements by their text. */
    private record Session(Connection connection, Map<String, PreparedStatement> statements) {
    }

    /** Several statements that happen together or not at all. */
    interface Work {
        /** Whether to keep what was done. */
        boolean run() throws SQLException;
    }

    /** Reads the row that a result is at. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private Session open() {
        try {
            return new Session(DriverManager.getConnection(url), new HashMap<>());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The store of all rows. A connection would not do: threads and locks hang on it, which stay where they are. */
    Object root() {
        SessionLocal session = (SessionLocal) ((JdbcConnection) sessions.get().connection()).getSession();
        return session.getDatabase().getStore().getMvStore();
    }

    /** Runs a statement with these values; returns how many rows it changed. */
    int change(String sql, Object... values) throws SQLException {
        return prepare(sql, values).executeUpdate();
    }

    /** The first row that is found; null if there is none. */
    <T> T find(String sql, Row<T> row, Object... values) throws SQLException {
        try (ResultSet found = prepare(sql, values).executeQuery()) {
            return found.next() ? row.read(found) : null;
        }
    }

    /** All rows that are found, one after the other, as a list in JSON. */
    String list(String sql, Row<String> row, Object... values) throws SQLException {
        StringBuilder list = new StringBuilder("[");
        try (ResultSet found = prepare(sql, values).executeQuery()) {
            while (found.next()) {
                list.append(list.length() > 1 ? "," : "").append(row.read(found));
            }
        }
        return list.append(']').toString();
    }

    /** A sum over a table. */
    long sum(String sql) throws SQLException {
        return find(sql, row -> row.getLong(1));
    }

    /** Runs {@code work} as one transaction; returns its answer. */
    boolean together(Work work) throws SQLException {
        Connection connection = sessions.get().connection();
        connection.setAutoCommit(false);
        boolean done = false;
        try {
            done = work.run();
            return done;
        } finally {
            if (done) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        Session session = sessions.get();
        PreparedStatement statement = session.statements().get(sql);
        if (statement == null) {
            statement = session.connection().prepareStatement(sql);
            session.statements().put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
