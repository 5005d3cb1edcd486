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
package org.ztera.fuzz.rt;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Where programs write what the driver compares. Each line reaches the file at once, so that it survives a crash.
 * The first character says what a line is: see {@code org.ztera.fuzz.run.TraceFile}, which reads it.
 */
final class Trace {
    private final OutputStream out;

    Trace(OutputStream out) {
        this.out = out;
    }

    void begin(String program) {
        line('>', program);
    }

    /** One observation of the running program. */
    void observed(String text) {
        line(' ', text);
    }

    /** The running program met what cannot be. */
    void failed(Throwable t) {
        StringBuilder text = new StringBuilder(t.toString().replace('\n', ' '));
        for (StackTraceElement e : t.getStackTrace()) {
            text.append(" | ").append(e);
        }
        line('!', text.toString());
    }

    void end(String program) {
        line('<', program);
    }

    /** A number about the whole run. */
    void total(String name, long value) {
        line('=', name + " " + value);
    }

    private synchronized void line(char kind, String text) {
        try {
            out.write((kind + text + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
