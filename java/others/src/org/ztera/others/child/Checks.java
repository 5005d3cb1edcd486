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
package org.ztera.others.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.LongAdder;

/**
 * The statements of a workload about itself: how many things it has checked, and its answer, which is compared with
 * that of the stock JDK. Everything below the folder {@code answer} of the working directory is the answer; a program
 * may also write there itself.
 */
public final class Checks {
    private static final LongAdder COUNT = new LongAdder();
    private static final Path ANSWER = Path.of("answer", "answer.txt");

    private Checks() {
    }

    /** Throws unless the condition holds, and counts it. Cheap, and for any thread. */
    public static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
        COUNT.increment();
    }

    /** Throws unless the two are equal, and counts it. */
    public static void equal(Object expected, Object actual, String what) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": expected " + start(expected) + ", found " + start(actual));
        }
        COUNT.increment();
    }

    private static String start(Object o) {
        String text = String.valueOf(o);
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }

    /** Counts checks that someone else has made. */
    public static void made(long checks) {
        COUNT.add(checks);
    }

    /** Adds a line to the answer. */
    public static synchronized void answer(String line) {
        try {
            Files.writeString(ANSWER, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long count() {
        return COUNT.sum();
    }
}
