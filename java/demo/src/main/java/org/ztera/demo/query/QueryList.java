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
            "HashMap", "ConcurrentHashMap", "computeIfAbsent", "ParallelScavengeHeap", "oopDesc", "markWord",
            "PSParallelCompact", "ReferenceProcessor", "CardTable", "G1CollectedHeap", "ZGC", "JavaThread",
            "Unsafe", "VarHandle", "MethodHandle", "LambdaMetafactory", "StringBuilder", "CharSequence",
            "ByteBuffer", "FileChannel", "SocketChannel", "Selector", "CompletableFuture", "ForkJoinPool",
            "ReentrantLock", "AtomicLong", "ThreadLocal", "SoftReference", "WeakReference", "PhantomReference",
            "Cleaner", "ClassLoader", "ModuleLayer", "ServiceLoader", "KeyStore", "MessageDigest", "Cipher",
            "SSLEngine", "X509Certificate", "BigInteger", "BigDecimal", "LocalDateTime", "Pattern", "Matcher",
            "Collectors", "Spliterator", "JPanel", "JTable", "Graphics2D", "BufferedImage", "Toolkit", "EventQueue",
            "javac", "JavacTask", "TypeMirror", "Symtab", "Resolve", "Attr", "Lower", "Gen", "VectorSpecies",
            "IntVector", "vmassert", "guarantee", "ResourceMark", "MutexLocker", "CHeapObj", "GrowableArray");
    private static final List<String> PREFIXES = List.of(
            "compute", "Parallel", "Abstract", "test", "jvmti", "Java_java_", "G1", "ZPage", "os_", "MH_", "Vector",
            "DEFAULT_", "isInstance", "Weak", "emit", "assert");
    private static final List<String> TEXTS = List.of(
            "card table", "forwarding pointer", "java.util.concurrent", "out of memory", "OutOfMemoryError",
            "@requires vm.gc", "-XX:+UseParallelGC", "the garbage collector", "identity hash", "weak reference",
            "TODO", "FIXME", "System.gc()", "class unloading", "compressed oops", "userfaultfd", "madvise",
            "memory ordering", "lock-free", "@since 25", "JDK-8", "Unicode", "deadlock", "#include <sys/mman.h>");
    private static final List<Query.Regex> PATTERNS = List.of(
            new Query.Regex("extends AbstractMap", "class (\\w+)<[^>]*> extends AbstractMap"),
            new Query.Regex("synchronized (", "^\\s+synchronized \\((\\w+)\\) \\{$"),
            new Query.Regex("_offset", "static int _\\w+_offset;"),
            new Query.Regex("@bug ", "@bug +\\d{7}(?: +\\d{7}){3,}"),
            new Query.Regex("catch (", "catch \\(\\w*Error \\w+\\)"),
            new Query.Regex("Runtime.getRuntime()", "Runtime\\.getRuntime\\(\\)\\.\\w+\\("),
            new Query.Regex("#define", "^#define [A-Z_]+_HPP$"),
            new Query.Regex("switch (", "switch \\(\\w+\\.\\w+\\(\\)\\) \\{"),
            new Query.Regex("0xCAFEBABE", "0xCAFEBABE[lL]?"),
            new Query.Regex("private static final long serialVersionUID", "serialVersionUID = -?\\d+L"));

    private QueryList() {
    }

    /** Always the same queries in the same order. */
    public static List<Query> all() {
        List<Query> queries = new ArrayList<>();
        add(queries, SYMBOLS, Query.Exact::new);
        add(queries, PREFIXES, Query.Prefix::new);
        add(queries, TEXTS, Query.Text::new);
        queries.addAll(PATTERNS);
        add(queries, SYMBOLS.subList(0, 30), symbol -> new Query.Usage(symbol, 2));
        for (int i = 0; i + 1 < SYMBOLS.size(); i += 2) {
            queries.add(new Query.Together(SYMBOLS.get(i), SYMBOLS.get(i + 1)));
        }
        return queries;
    }

    private static void add(List<Query> queries, List<String> words, Function<String, Query> kind) {
        words.forEach(word -> queries.add(kind.apply(word)));
    }
}
