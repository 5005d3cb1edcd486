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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * The demo's command line.
 *
 * @param source the tree to index
 * @param maxBytes how much source to index at most
 * @param shardBytes how much source one shard holds at most
 * @param rounds how often the queries are asked
 * @param placement what is done with a finished shard
 * @param reindex a file or directory whose area is dropped and indexed again; empty: none
 * @param answers file for the answers in words, or null
 */
record Options(
        Path source, long maxBytes, long shardBytes, int rounds, Placement placement, String reindex, Path answers) {

    static final String USAGE = """
            usage: java -jar ztera-demo.jar [options] SOURCE_TREE
              --max-bytes N    index at most about N bytes of source (suffixes K, M, G; default: all)
              --shard-bytes N  at most N bytes of source per shard (default 4M)
              --rounds N       ask all queries N times (default 1)
              --place HOW      now: move each shard to the second heap when it is built (default);
                               later: let the next full collection do it; off: leave all in the first heap
              --reindex PATH   what was indexed together with this directory is dropped and indexed
                               again (default src/java.base; empty: none)
              --answers FILE   also write every answer to FILE""";

    /** @throws IllegalArgumentException with a message for the user */
    static Options parse(String... args) {
        Path source = null;
        long maxBytes = Long.MAX_VALUE;
        long shardBytes = 4L << 20;
        int rounds = 1;
        Placement placement = Placement.NOW;
        String reindex = "src/java.base";
        Path answers = null;
        Iterator<String> rest = List.of(args).iterator();
        while (rest.hasNext()) {
            String arg = rest.next();
            switch (arg) {
                case "--max-bytes" -> maxBytes = size(arg, value(arg, rest));
                case "--shard-bytes" -> shardBytes = size(arg, value(arg, rest));
                case "--rounds" -> rounds = Math.toIntExact(size(arg, value(arg, rest)));
                case "--place" -> placement = Placement.named(value(arg, rest));
                case "--reindex" -> reindex = value(arg, rest);
                case "--answers" -> answers = Path.of(value(arg, rest));
                default -> {
                    if (arg.startsWith("-") || source != null) {
                        throw new IllegalArgumentException("unexpected argument: " + arg);
                    }
                    source = Path.of(arg);
                }
            }
        }
        if (source == null || !Files.isDirectory(source)) {
            throw new IllegalArgumentException(
                    source == null ? "no source tree given" : "not a directory: " + source);
        }
        return new Options(source, maxBytes, shardBytes, rounds, placement, reindex, answers);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }

    private static long size(String option, String text) {
        int shift = text.isEmpty() ? 0 : switch (text.charAt(text.length() - 1)) {
            case 'k', 'K' -> 10;
            case 'm', 'M' -> 20;
            case 'g', 'G' -> 30;
            default -> 0;
        };
        try {
            long number = Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1));
            if (number > 0 && number <= Long.MAX_VALUE >> shift) {
                return number << shift;
            }
        } catch (NumberFormatException notANumber) {
            // The message below says it.
        }
        throw new IllegalArgumentException(option + " needs a positive number, not " + text);
    }
}
