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
package org.ztera.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ztera.fuzz.run.Mode;

/** The command line. */
final class Options {
    static final String USAGE = """
            usage: java -cp CLASSES org.ztera.fuzz.Main [options]
            Makes random programs, runs them on a stock JVM and on a ZTera JVM, and compares what they observe.
            An example: make fuzz MINUTES=10 SEED=42

            How much
              --minutes N          stop after N minutes (default 10; 0: never, if there is a number of programs)
              --programs N         stop after N programs
              --seed S             the same programs and modes again, if what is below is the same, too
                                   (default: random; the command that repeats a run is printed)
              --batch N            programs per child JVM (default 40)
              --modes N            modes in which each batch runs (default 2)
              --spread N           take the modes from a list of N that together have every part of a mode
                                   (default: random modes)
              --jobs N             batches at a time (default: half of the processors)
            Which JVMs
              --stock HOME         the reference (default: the JVM that runs this)
              --view HOME          the ZTera JVM (default build/jdk)
              --fastdebug-view H   one with assertions, for a quarter of the modes (default: none)
              --flag FLAG          another flag for the JVM under test; may be repeated
              --self               the reference on both sides: whatever differs is the fuzzer's fault
            To look closer
              --mode WORDS         this mode only; the words are those that a failure prints
              --only N             batch N of the seed only
              --print SEED         print the source of the program with this seed, and end
              --replay PATH        run the Java files in PATH instead; their mode is in PATH/mode.txt, or --mode,
                                   or else several modes are tried
              --repeat N           run them N times per child (default 20)
            What is left behind
              --out DIR            where to work (default out/fuzz); failures are in DIR/failures
              --keep               keep the folders of batches that passed
              --shrink-seconds N   how long to minimise a failure (default 600; 0: not at all)
              --max-failures N     stop after so many (default 5)
              --json FILE          write a summary there
            The exit status is 0 if nothing differed, 1 if something did, 2 if the options are wrong.""";

    long seed = System.nanoTime() % 1_000_000_000;
    long programs = Long.MAX_VALUE;
    long minutes;
    int batch = 40;
    int modes = 2;
    int spread;
    int jobs = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    Path stock = Path.of(System.getProperty("java.home"));
    Path view = Path.of("build/jdk");
    Path debugView;
    final List<String> flags = new ArrayList<>();
    boolean self;
    Mode mode;
    long only = -1;
    Long print;
    Path replay;
    int repeat = 20;
    Path out = Path.of("out/fuzz");
    boolean keep;
    long shrinkSeconds = 600;
    int maxFailures = 5;
    Path json;
    boolean help;
    private List<String> rest = List.of();

    /** @throws IllegalArgumentException with a message for the user */
    static Options parse(String... args) {
        Options o = new Options();
        o.rest = new ArrayList<>(Arrays.asList(args));
        while (!o.rest.isEmpty()) {
            o.option(o.rest.removeFirst());
        }
        if (o.minutes == 0 && o.programs == Long.MAX_VALUE) {
            o.minutes = 10;
        }
        return o;
    }

    /**
     * The command that runs the same programs in the same modes: those of so many batches, or of the one that was asked
     * for.
     */
    String again(long batches) {
        if (only >= 0) {
            return againOnly(only);
        }
        long some = Math.min(programs, batches * batch);
        return "make fuzz MINUTES=0 SEED=%d FUZZ=\"--programs %d %s\"".formatted(seed, some, how());
    }

    /** The same for one batch. The last one may be shorter than the others. */
    String againOnly(long number) {
        String limit = programs == Long.MAX_VALUE ? "" : "--programs " + programs + " ";
        return "make fuzz SEED=%d ONLY=%d FUZZ=\"%s%s\"".formatted(seed, number, limit, how());
    }

    /** The command that runs what lies in a folder, in its mode. */
    String again(Path folder) {
        return "make fuzz REPLAY=" + folder + (jvms().isEmpty() ? "" : " FUZZ=\"" + jvms() + "\"");
    }

    /** The programs and modes of a seed depend on this. */
    String how() {
        List<String> words = new ArrayList<>(List.of("--batch", Integer.toString(batch), "--modes", Integer.toString(modes)));
        if (spread > 0) {
            words.addAll(List.of("--spread", Integer.toString(spread)));
        }
        if (mode != null) {
            words.addAll(List.of("--mode", mode.toString()));
        }
        return (String.join(" ", words) + " " + jvms()).strip();
    }

    private String jvms() {
        List<String> words = new ArrayList<>(self ? List.of("--self") : List.of());
        flags.forEach(f -> words.addAll(List.of("--flag", f)));
        return String.join(" ", words);
    }

    private void option(String name) {
        switch (name) {
            case "--minutes" -> minutes = number(name, 0);
            case "--programs" -> programs = number(name, 1);
            case "--seed" -> seed = number(name, Long.MIN_VALUE);
            case "--batch" -> batch = (int) number(name, 1);
            case "--modes" -> modes = (int) number(name, 1);
            case "--spread" -> spread = (int) number(name, 1);
            case "--jobs" -> jobs = (int) number(name, 1);
            case "--stock" -> stock = Path.of(value(name));
            case "--view" -> view = Path.of(value(name));
            case "--fastdebug-view" -> debugView = Path.of(value(name));
            case "--flag" -> flags.add(value(name));
            case "--self" -> self = true;
            case "--mode" -> mode = Mode.parse(value(name));
            case "--only" -> only = number(name, 0);
            case "--print" -> print = number(name, Long.MIN_VALUE);
            case "--replay" -> replay = Path.of(value(name));
            case "--repeat" -> repeat = (int) number(name, 1);
            case "--out" -> out = Path.of(value(name));
            case "--keep" -> keep = true;
            case "--shrink-seconds" -> shrinkSeconds = number(name, 0);
            case "--max-failures" -> maxFailures = (int) number(name, 1);
            case "--json" -> json = Path.of(value(name));
            case "--help", "-h" -> help = true;
            default -> throw new IllegalArgumentException("unknown option " + name);
        }
    }

    private String value(String option) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.removeFirst();
    }

    private long number(String option, long least) {
        String text = value(option);
        try {
            long number = Long.parseLong(text);
            if (number >= least && (least != 1 || number <= Integer.MAX_VALUE)) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // The message below says it.
        }
        throw new IllegalArgumentException(option + " needs a number" + (least >= 0 ? " from " + least : "") + ", not " + text);
    }
}
