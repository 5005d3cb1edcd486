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

import java.util.ArrayList;
import java.util.List;

/**
 * A statement: Java code in which {@code @0}, {@code @1}... stand for sizes, and, if it is a block, a body.
 *
 * @param feature what it exercises
 * @param code a whole statement, or the head of a block without its brace
 * @param sizes array lengths, counts of iterations and the like, which may shrink
 * @param body null if it is no block
 * @param tail what follows a block's closing brace
 */
public record Stmt(String feature, String code, List<Integer> sizes, List<Stmt> body, String tail) {

    public static Stmt of(String feature, String code, Integer... sizes) {
        return new Stmt(feature, code.strip(), List.of(sizes), null, "");
    }

    public static Stmt block(String feature, String head, String tail, List<Stmt> body, Integer... sizes) {
        return new Stmt(feature, head.strip(), List.of(sizes), List.copyOf(body), tail);
    }

    public boolean isBlock() {
        return body != null;
    }

    public Stmt withBody(List<Stmt> other) {
        return new Stmt(feature, code, sizes, List.copyOf(other), tail);
    }

    public Stmt withSize(int i, int size) {
        List<Integer> changed = new ArrayList<>(sizes);
        changed.set(i, size);
        return new Stmt(feature, code, List.copyOf(changed), body, tail);
    }

    /** The code with its sizes in it. */
    public String text() {
        String text = code;
        for (int i = sizes.size() - 1; i >= 0; i--) {
            text = text.replace("@" + i, sizes.get(i).toString());
        }
        return text;
    }

    /** This statement and all within it. */
    public int count() {
        return 1 + (isBlock() ? count(body) : 0);
    }

    public static int count(List<Stmt> stmts) {
        return stmts.stream().mapToInt(Stmt::count).sum();
    }
}
