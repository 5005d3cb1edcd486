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
package org.ztera.fuzz.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.ztera.kit.OopMode;
import org.ztera.kit.Oops;

/**
 * The options of a child JVM under test, besides the program. Written as words: {@code
 * c2,wide,compact,zstd,tiny,threads2,stress7,dedup,debug}.
 *
 * @param compact compact object headers
 * @param threads of the collector
 * @param stress the seed of H2Stress, which also gives how often full collections are forced; 0 is none
 * @param dedup string deduplication
 * @param debug on the fastdebug view
 */
public record Mode(
        Exec exec, Oops oops, boolean compact, Below below, Size size, int threads, int stress, boolean dedup, boolean debug) {

    /** The plainest one, to which the minimiser goes as near as it can. */
    public static final Mode PLAIN = new Mode(Exec.MIXED, Oops.NARROW, false, Below.LZ4, Size.SMALL, 1, 0, false, false);

    /**
     * A random one. One in four is on the fastdebug view, if there is one; the rest of it, and those after it, do not
     * depend on that.
     */
    public static Mode draw(SplittableRandom r, boolean hasDebug) {
        return new Mode(one(Exec.values(), r), one(Oops.values(), r), r.nextBoolean(), one(Below.values(), r), one(Size.values(), r),
                1 << r.nextInt(3), r.nextInt(3) == 0 ? 0 : r.nextInt(1, 1_000_000), r.nextInt(4) == 0, r.nextInt(4) == 0 && hasDebug);
    }

    private static <T> T one(T[] values, SplittableRandom r) {
        return values[r.nextInt(values.length)];
    }

    /** So many modes, which together have every value of every part if they are at least twelve. */
    public static List<Mode> spread(int count, long seed, boolean hasDebug) {
        Random random = new Random(seed);
        List<Exec> execs = shuffled(Exec.values(), random);
        List<Oops> oops = shuffled(Oops.values(), random);
        List<Below> belows = shuffled(Below.values(), random);
        List<Size> sizes = shuffled(Size.values(), random);
        List<Mode> modes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            modes.add(new Mode(execs.get(i % 6), oops.get(i % 5), (i + i / 6) % 2 == 0, belows.get(i % belows.size()), sizes.get(i % 3),
                    1 << i / 4 % 3, i / 3 % 2 == 1 ? 0 : random.nextInt(1, 1_000_000), i % 4 == 0, hasDebug && i % 4 == 3));
        }
        return modes;
    }

    private static <T> List<T> shuffled(T[] values, Random random) {
        List<T> list = new ArrayList<>(Arrays.asList(values));
        Collections.shuffle(list, random);
        return list;
    }

    /** All VM flags. */
    List<String> flags(Path directory) {
        List<String> flags = new ArrayList<>(List.of("-XX:+UseParallelGC", "-XX:+UnlockDiagnosticVMOptions", "-XX:+H2Verify", "-XX:MaxDirectMemorySize=16m",
                "-XX:ParallelGCThreads=" + threads, "-Xlog:gc*,gc+h2*:file=gc.log::filecount=2,filesize=4m"));
        flags.addAll(exec.flags);
        flags.addAll(OopMode.flags(oops, compact));
        flags.addAll(size.flags);
        flags.addAll(below.flags(directory));
        flags.add("-Dfuzz.downcalls=" + below.downcalls());
        if (stress != 0) {
            flags.addAll(List.of("-XX:+H2Stress", "-XX:H2StressSeed=" + stress, "-XX:H2StressInterval=" + stressInterval()));
        } else {
            flags.addAll(List.of("-Dfuzz.deaths=true", "-XX:SoftRefLRUPolicyMSPerMB=0"));
        }
        if (dedup) {
            flags.addAll(List.of("-XX:+UseStringDeduplication", "-XX:StringDeduplicationAgeThreshold=1"));
        }
        return flags;
    }

    /**
     * 0 (none forced) in one of eight, or 4 to 256 MiB: with less, most of the time goes into what is never different.
     */
    private String stressInterval() {
        int step = stress % 8;
        return step == 7 ? "0" : (4 << step) + "m";
    }

    /** Modes with one part more like the plain one. */
    public List<Mode> simpler() {
        List<Mode> all = new ArrayList<>();
        all.add(new Mode(exec, oops, compact, below, size, threads, stress, PLAIN.dedup, debug));
        all.add(new Mode(exec, oops, compact, below, size, threads, PLAIN.stress, dedup, debug));
        all.add(new Mode(exec, oops, compact, below, size, PLAIN.threads, stress, dedup, debug));
        all.add(new Mode(exec, oops, compact, PLAIN.below, size, threads, stress, dedup, debug));
        all.add(new Mode(exec, PLAIN.oops, compact, below, size, threads, stress, dedup, debug));
        all.add(new Mode(exec, oops, PLAIN.compact, below, size, threads, stress, dedup, debug));
        all.add(new Mode(exec, oops, compact, below, PLAIN.size, threads, stress, dedup, debug));
        all.add(new Mode(PLAIN.exec, oops, compact, below, size, threads, stress, dedup, debug));
        all.add(new Mode(exec, oops, compact, below, size, threads, stress, dedup, PLAIN.debug));
        all.removeIf(this::equals);
        return all;
    }

    @Override
    public String toString() {
        StringJoiner words = new StringJoiner(",");
        words.add(word(exec)).add(word(oops));
        if (compact) {
            words.add("compact");
        }
        words.add(word(below)).add(word(size)).add("threads" + threads);
        if (stress != 0) {
            words.add("stress" + stress);
        }
        if (dedup) {
            words.add("dedup");
        }
        if (debug) {
            words.add("debug");
        }
        return words.toString();
    }

    private static String word(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads what {@link #toString} writes, in any order; what is not said is as in the plain mode.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Mode parse(String text) {
        Mode m = PLAIN;
        for (String word : text.strip().split(",")) {
            m = m.with(word);
        }
        return m;
    }

    private Mode with(String word) {
        String name = word.toUpperCase(Locale.ROOT);
        return new Mode(named(Exec.values(), name, exec), named(Oops.values(), name, oops), compact || word.equals("compact"),
                named(Below.values(), name, below), named(Size.values(), name, size), number(word, "threads", threads),
                number(word, "stress", stress), dedup || word.equals("dedup"), debug || word.equals("debug")).checked(word);
    }

    private Mode checked(String word) {
        if (!List.of(toString().split(",")).contains(word)) {
            throw new IllegalArgumentException("a mode has no word '" + word + "'; an example: " + PLAIN + ",stress7,debug");
        }
        return this;
    }

    private static <E extends Enum<E>> E named(E[] values, String name, E otherwise) {
        return Arrays.stream(values).filter(e -> e.name().equals(name)).findFirst().orElse(otherwise);
    }

    private static int number(String word, String prefix, int otherwise) {
        return word.matches(prefix + "[0-9]{1,9}") ? Integer.parseInt(word.substring(prefix.length())) : otherwise;
    }
}
