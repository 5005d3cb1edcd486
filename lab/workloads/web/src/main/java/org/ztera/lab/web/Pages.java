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

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/** Hands requests to an application, once it has its data. */
final class Pages extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient Application application;
    private volatile boolean serving;
    private volatile long expected;

    Pages(Application application) {
        this.application = application;
    }

    /** From now on requests are answered; all data sum up to {@code total}. */
    void serve(long total) {
        expected = total;
        serving = true;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!serving) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        try {
            String answer = answer(request.getRequestURI(), request);
            if (answer == null) {
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
                return;
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            response.setContentType("application/json");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        } catch (SQLException | ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }

    private String answer(String page, HttpServletRequest request) throws SQLException, ReflectiveOperationException {
        return switch (page) {
            case "/verify" -> verify();
            case "/heap" -> SecondHeap.statistics();
            default -> application.answer(page, request);
        };
    }

    private String verify() throws SQLException {
        return "{\"expected\":%d,\"found\":%d}".formatted(expected, application.total());
    }
}
