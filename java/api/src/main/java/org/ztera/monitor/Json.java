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
package org.ztera.monitor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON that the VM prints: objects, arrays, strings without codes of characters, numbers, true and false. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** The object that the text is: values are maps, lists, strings, longs, doubles and booleans. */
    static Map<String, Object> object(String text) {
        return new Json(text).readObject();
    }

    private Object readValue() {
        return switch (peek()) {
            case '{' -> readObject();
            case '[' -> readArray();
            case '"' -> readString();
            default -> readWord();
        };
    }

    private Map<String, Object> readObject() {
        Map<String, Object> object = new LinkedHashMap<>();
        expect('{');
        while (!takes('}')) {
            String name = readString();
            expect(':');
            object.put(name, readValue());
            takes(',');
        }
        return object;
    }

    private List<Object> readArray() {
        List<Object> array = new ArrayList<>();
        expect('[');
        while (!takes(']')) {
            array.add(readValue());
            takes(',');
        }
        return array;
    }

    private String readString() {
        StringBuilder string = new StringBuilder();
        expect('"');
        while (text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 1 : 0;
            string.append(text.charAt(at++));
        }
        expect('"');
        return string.toString();
    }

    private Object readWord() {
        int from = at;
        while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at).strip();
        if (word.equals("true") || word.equals("false")) {
            return Boolean.valueOf(word);
        }
        return word.contains(".") ? (Object) Double.valueOf(word) : (Object) Long.valueOf(word);
    }

    private char peek() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private boolean takes(char c) {
        boolean is = peek() == c;
        at += is ? 1 : 0;
        return is;
    }

    private void expect(char c) {
        if (!takes(c)) {
            throw new IllegalArgumentException("no " + c + " at " + at + " of " + text);
        }
    }
}
