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
import java.sql.SQLException;
import java.util.List;

/** An application. The same number of bytes makes the same data. */
interface Application {
    /** Its name in the line that says that it is ready. */
    String name();

    /** How often {@link #load} says that it has another part of the data. */
    int PARTS = 8;

    /** Makes about so many bytes of data. Runs {@code part} after each part of them. */
    void load(long bytes, Sessions sessions, Runnable part) throws SQLException;

    /** How many users there are. */
    int users();

    /** How many things they trade or book. */
    int things();

    /** The answer to a request, as JSON; null if there is no such page. */
    String answer(String page, HttpServletRequest request) throws SQLException;

    /** The objects that all data are reached from. */
    List<Object> roots();

    /** A sum over all data that no request changes. */
    long total() throws SQLException;

    /** Opens sessions that users find by their cookies. */
    interface Sessions {
        /** A session named {@code user-N} that holds {@code value}. */
        void open(int user, String name, Object value);
    }
}
