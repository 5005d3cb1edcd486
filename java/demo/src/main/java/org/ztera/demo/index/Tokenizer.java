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
package org.ztera.demo.index;

import java.util.Set;

/**
 * Finds the names in a text: runs of letters, digits and underscores that do not begin with a digit. It
 * knows nothing of comments and strings, since people search in those too.
 */
final class Tokenizer {
    private static final int LONGEST_NAME = 80;
    /** Names that occur everywhere and that nobody searches for. */
    private static final Set<String> STOP_WORDS = Set.of(
            "abstract", "and", "are", "as", "at", "be", "boolean", "break", "by", "byte", "case", "catch", "char",
            "class", "const", "continue", "default", "define", "do", "double", "else", "endif", "enum", "extends",
            "false", "final", "finally", "float", "for", "from", "goto", "if", "ifdef", "implements", "import", "in",
            "include", "instanceof", "int", "interface", "is", "it", "long", "namespace", "native", "new", "not",
            "null", "nullptr", "of", "on", "or", "package", "private", "protected", "public", "return", "short",
            "signed", "sizeof", "static", "struct", "super", "switch", "synchronized", "template", "that", "the",
            "this", "throw", "throws", "to", "transient", "true", "try", "typedef", "typename", "union", "unsigned",
            "using", "virtual", "void", "volatile", "while", "with");

    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;
    private int start;

    Tokenizer(String text) {
        this.text = text;
    }

    /** The next name worth indexing, or null at the end. Its place is {@link #line} and {@link #column}. */
    String next() {
        while (skipToName()) {
            start = at;
            while (at < text.length() && isNamePart(text.charAt(at))) {
                at++;
            }
            int length = at - start;
            if (length >= 2 && length <= LONGEST_NAME) {
                String name = text.substring(start, at);
                if (!STOP_WORDS.contains(name)) {
                    return name;
                }
            }
        }
        return null;
    }

    int line() {
        return line;
    }

    int column() {
        return start - lineStart + 1;
    }

    private boolean skipToName() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isNameStart(c)) {
                return true;
            }
            if (isNamePart(c)) {
                skipNumber();
                continue;
            }
            at++;
            if (c == '\n') {
                line++;
                lineStart = at;
            }
        }
        return false;
    }

    private void skipNumber() {
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isNameStart(char c) {
        return c < 128 ? c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' : Character.isLetter(c);
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || (c < 128 ? c >= '0' && c <= '9' : Character.isDigit(c));
    }
}
