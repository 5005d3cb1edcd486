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
package org.ztera.demo;

import java.util.Locale;

/** Writes one JSON object on one line, member by member. */
public final class Json {
    private final StringBuilder text = new StringBuilder("{");

    public Json put(String name, String value) {
        return raw(name, '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
    }

    public Json put(String name, long value) {
        return raw(name, Long.toString(value));
    }

    /** Seconds and ratios, to the microsecond. */
    public Json put(String name, double value) {
        return raw(name, String.format(Locale.ROOT, "%.6f", value));
    }

    public Json put(String name, boolean value) {
        return raw(name, Boolean.toString(value));
    }

    public Json put(String name, Json value) {
        return raw(name, value.toString());
    }

    /** A value that is JSON already, on one line. */
    public Json raw(String name, String value) {
        text.append(text.length() > 1 ? "," : "").append('"').append(name).append("\":").append(value);
        return this;
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
