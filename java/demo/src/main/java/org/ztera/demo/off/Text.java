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
package org.ztera.demo.off;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text of many files: taken apart by regular expressions, counted, put together anew. */
final class Text implements Work {
    private static final Pattern WORD = Pattern.compile("(?<name>[A-Za-z_]\\w*)|(?<number>0x[0-9a-fA-F]+|\\d+)");

    private final List<String> texts;

    Text(List<String> texts) {
        this.texts = texts;
    }

    @Override
    public long iterate(int number) {
        Map<String, Integer> counts = new HashMap<>();
        long found = 0;
        for (String text : texts) {
            StringBuilder shortened = new StringBuilder();
            for (String line : text.split("\n")) {
                take(line.strip(), counts, shortened);
            }
            found = found * 31 + shortened.toString().hashCode();
        }
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            found += (long) count.getKey().hashCode() * count.getValue();
        }
        return found;
    }

    private static void take(String line, Map<String, Integer> counts, StringBuilder shortened) {
        for (Matcher words = WORD.matcher(line); words.find(); ) {
            String name = words.group("name");
            if (name != null) {
                counts.merge(name, 1, Integer::sum);
                shortened.append(name.toUpperCase(Locale.ROOT), 0, 1).append(name.length()).append(' ');
            } else {
                shortened.append(Long.hashCode(words.group().length())).append(String.format("%4d;", line.length()));
            }
        }
    }
}
