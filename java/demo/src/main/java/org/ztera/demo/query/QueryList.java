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
package org.ztera.demo.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The demo's questions: what people who work on OpenJDK might ask. They work on any tree; elsewhere more
 * of them find nothing.
 */
public final class QueryList {
    private static final List<String> SYMBOLS = List.of(
            "HashMap", "ConcurrentHashMap", "ParallelScavengeHeap", "markWord", "PSParallelCompact", "CardTable",
            "G1CollectedHeap", "JavaThread", "Unsafe", "VarHandle", "MethodHandle", "LambdaMetafactory", "ByteBuffer",
            "FileChannel", "CompletableFuture", "ForkJoinPool", "SoftReference", "WeakReference", "ClassLoader",
            "ServiceLoader", "MessageDigest", "Cipher", "BigInteger", "BigDecimal", "Pattern", "Matcher", "JPanel",
            "JTable", "TypeMirror", "Symtab", "MutexLocker", "GrowableArray");
    private static final List<String> PREFIXES = List.of(
            "compute", "Abstract", "jvmti", "Java_java_", "ZPage", "os_", "isInstance", "Weak");
    private static final List<String> TEXTS = List.of(
            "card table", "java.util.concurrent", "OutOfMemoryError", "-XX:+UseParallelGC", "identity hash", "TODO",
            "System.gc()", "class unloading", "userfaultfd", "lock-free", "@since 25", "#include <sys/mman.h>");
    private static final List<Query.Regex> PATTERNS = List.of(
            new Query.Regex("extends AbstractMap", "class (\\w+)<[^>]*> extends AbstractMap"),
            new Query.Regex("synchronized (", "^\\s+synchronized \\((\\w+)\\) \\{$"),
            new Query.Regex("@bug ", "@bug +\\d{7}(?: +\\d{7}){3,}"),
            new Query.Regex("Runtime.getRuntime()", "Runtime\\.getRuntime\\(\\)\\.\\w+\\("),
            new Query.Regex("0xCAFEBABE", "0xCAFEBABE[lL]?"));

    private QueryList() {
    }

    /** Always the same queries in the same order. */
    public static List<Query> all() {
        List<Query> queries = new ArrayList<>();
        add(queries, SYMBOLS, Query.Exact::new);
        add(queries, PREFIXES, Query.Prefix::new);
        add(queries, TEXTS, Query.Text::new);
        queries.addAll(PATTERNS);
        add(queries, SYMBOLS.subList(0, 16), symbol -> new Query.Usage(symbol, 2));
        for (int i = 0; i + 1 < SYMBOLS.size(); i += 2) {
            queries.add(new Query.Together(SYMBOLS.get(i), SYMBOLS.get(i + 1)));
        }
        return queries;
    }

    private static void add(List<Query> queries, List<String> words, Function<String, Query> kind) {
        words.forEach(word -> queries.add(kind.apply(word)));
    }
}
