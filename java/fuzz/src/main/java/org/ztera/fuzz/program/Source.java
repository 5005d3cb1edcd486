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
package org.ztera.fuzz.program;

import java.util.List;

/** Prints lines with indentation. */
final class Source {
    private final StringBuilder text = new StringBuilder();
    private int depth;

    void line(String line) {
        if (!line.isEmpty()) {
            text.append("    ".repeat(depth)).append(line);
        }
        text.append('\n');
    }

    void open(String head) {
        line(head + " {");
        depth++;
    }

    void close(String tail) {
        depth--;
        line("}" + tail);
    }

    void statements(List<Stmt> stmts) {
        for (Stmt s : stmts) {
            if (s.isBlock()) {
                open(s.text());
                statements(s.body());
                close(s.tail());
            } else {
                s.text().lines().forEach(this::line);
            }
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
