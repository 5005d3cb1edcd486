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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges the results of jtreg. Called by jtreg.sh with a command, the folder of the results, the list of expected
 * failures, and for which runs ({@code MODE/GROUP}; none: all that there are):
 *
 * <ul>
 *   <li>{@code pending}: prints the failures without a reason that were not tried on the stock VM yet;
 *   <li>{@code judge}: prints failures, stale reasons and a closing line; fails when a failure has no reason;
 *   <li>{@code table}: prints the counts in Markdown;
 *   <li>{@code json}: prints everything.
 * </ul>
 */
public final class JtregReport {
    enum Verdict {
        PASSED("passed"), SKIPPED("not applicable"), EXPECTED("expected"), STOCK("fails on stock too"), FAILED("FAILED"), ERROR("ERROR");

        final String words;

        Verdict(String words) {
            this.words = words;
        }
    }

    /**
     * A line of the list: in these modes the tests that the pattern matches fail for that reason. "sometimes" before
     * the modes: they also pass, as the random choices fall. Words in quotes after the test: only failures whose
     * message has them.
     */
    record Expectation(boolean sometimes, List<String> modes, String glob, Pattern test, String words, String reason) {
        private static final Pattern LINE = Pattern.compile("(sometimes )?(\\S+)\\s+(\\S+)\\s+(?:\"([^\"]+)\"\\s+)?([^\"\\s].*)");

        static Expectation parse(String line) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException("not '[sometimes] MODES TEST [\"WORDS\"] REASON': " + line);
            }
            String glob = parts.group(3);
            String regex = Stream.of(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            String words = Objects.requireNonNullElse(parts.group(4), "");
            return new Expectation(parts.group(1) != null, List.of(parts.group(2).split(",")), glob, Pattern.compile(regex), words, parts.group(5));
        }

        boolean covers(String mode, JtregResults.Test of) {
            return modes.contains(mode) && test.matcher(of.name()).matches();
        }

        boolean explains(String mode, JtregResults.Test failure) {
            return covers(mode, failure) && failure.message().contains(words);
        }
    }

    record Judged(JtregResults.Test test, Verdict verdict, String reason) {
        boolean isUnexplained() {
            return verdict == Verdict.FAILED || verdict == Verdict.ERROR;
        }
    }

    record Run(JtregResults results, List<Judged> tests) {
        long count(Verdict verdict) {
            return tests.stream().filter(t -> t.verdict == verdict).count();
        }
    }

    private final Path results;
    private final List<Expectation> expectations;

    private JtregReport(Path results, Path expected) throws IOException {
        this.results = results;
        try (Stream<String> lines = Files.lines(expected)) {
            expectations = lines.filter(line -> !line.isBlank() && !line.startsWith("#")).map(Expectation::parse).toList();
        }
    }

    public static void main(String[] args) throws IOException {
        var report = new JtregReport(Path.of(args[1]), Path.of(args[2]));
        List<String> names = args.length > 3 ? List.of(args).subList(3, args.length) : JtregResults.names(report.results);
        var runs = new ArrayList<Run>();
        for (String name : names) {
            runs.add(report.read(name));
        }
        switch (args[0]) {
            case "pending" -> report.pending(runs);
            case "judge" -> System.exit(report.judge(runs) ? 0 : 1);
            case "table" -> table(runs);
            case "json" -> json(runs);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private Map<String, JtregResults.Test> onStock(String group) throws IOException {
        return JtregResults.readTests(results.resolve("stock").resolve(group));
    }

    private Run read(String name) throws IOException {
        JtregResults read = JtregResults.read(results, name);
        Map<String, JtregResults.Test> onStock = onStock(read.group());
        return new Run(read, read.done().values().stream().map(t -> judge(read.mode(), t, onStock.get(t.name()))).toList());
    }

    private Judged judge(String mode, JtregResults.Test test, JtregResults.Test onStock) {
        Optional<Expectation> listed = expectations.stream().filter(e -> e.explains(mode, test)).findFirst();
        return switch (test.outcome()) {
            case PASSED -> new Judged(test, Verdict.PASSED, "");
            case SKIPPED -> new Judged(test, Verdict.SKIPPED, "");
            case FAILED, ERROR -> {
                if (listed.isPresent()) {
                    yield new Judged(test, Verdict.EXPECTED, listed.get().reason);
                }
                if (onStock != null && onStock.isBad()) {
                    yield new Judged(test, Verdict.STOCK, onStock.message());
                }
                yield new Judged(test, Verdict.valueOf(test.outcome().name()), "");
            }
        };
    }

    private void pending(List<Run> runs) throws IOException {
        for (Run run : runs) {
            Map<String, JtregResults.Test> tried = onStock(run.results.group());
            run.tests.stream().filter(Judged::isUnexplained).map(t -> t.test.name()).filter(t -> !tried.containsKey(t)).forEach(System.out::println);
        }
    }

    private boolean judge(List<Run> runs) {
        long passed = 0;
        long failed = 0;
        for (Run run : runs) {
            String mode = run.results.mode();
            for (Judged test : run.tests) {
                if (test.test.isBad()) {
                    System.out.printf("%s: %s %s: %s%n", test.verdict.words, mode, test.test.name(), test.reason.isEmpty() ? test.test.message() : test.reason);
                }
            }
            int missing = run.results.selected().size() - run.tests.size();
            if (missing > 0) {
                System.out.printf("FAILED: %s %s: %d tests did not run%n", mode, run.results.group(), missing);
            }
            passed += run.count(Verdict.PASSED);
            failed += run.tests.stream().filter(Judged::isUnexplained).count() + missing;
        }
        stale(runs).forEach(e -> System.out.printf("stale: %s %s passes now, though it is listed: %s%n", String.join(",", e.modes), e.glob, e.reason));
        System.out.printf("%d passed, %d failed%n", passed, failed);
        return failed == 0 && passed > 0;
    }

    /** Reasons some of whose tests ran, and all of those passed. */
    private List<Expectation> stale(List<Run> runs) {
        return expectations.stream().filter(e -> !e.sometimes).filter(e -> {
            List<Judged> covered = runs.stream().flatMap(run -> run.tests.stream().filter(t -> e.covers(run.results.mode(), t.test))).toList();
            return !covered.isEmpty() && covered.stream().allMatch(t -> t.verdict == Verdict.PASSED);
        }).toList();
    }

    private static void table(List<Run> runs) {
        System.out.println("| Group | Mode | Run | Passed | Failed | Errors | Not applicable | Expected | Fails on stock too |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        runs.stream().sorted(Comparator.comparing((Run run) -> run.results.group()).thenComparing(run -> run.results.mode())).forEach(run -> {
            JtregResults of = run.results;
            System.out.printf("| `%s` | %s | %s | %d | %d | %d | %s | %d | %d |%n", of.group(), of.mode(),
                of.isComplete() ? "all" : run.tests.size() + " of " + of.selected().size(), run.count(Verdict.PASSED), run.count(Verdict.FAILED),
                run.count(Verdict.ERROR), of.filtered() + run.count(Verdict.SKIPPED), run.count(Verdict.EXPECTED), run.count(Verdict.STOCK));
        });
        runs.stream().map(run -> run.results).filter(of -> of.vms().size() > 1).forEach(of ->
            System.out.printf("%n`%s`, %s: done on %d builds of the VM, one after the other.%n", of.group(), of.mode(), of.vms().size()));
    }

    private static void json(List<Run> runs) {
        System.out.println(runs.stream().map(JtregReport::json).collect(Collectors.joining(",\n", "{\"runs\": [\n", "\n]}")));
    }

    private static String json(Run run) {
        String tests = run.tests.stream().map(t -> "    {\"test\": %s, \"verdict\": %s, \"millis\": %d, \"message\": %s, \"reason\": %s}".formatted(
            quote(t.test.name()), quote(t.verdict.words), t.test.millis(), quote(t.test.message()), quote(t.reason))).collect(Collectors.joining(",\n"));
        JtregResults of = run.results;
        return "  {\"mode\": %s, \"group\": %s, \"selected\": %d, \"notApplicable\": %d, \"vms\": [%s], \"tests\": [\n%s\n  ]}".formatted(quote(of.mode()),
            quote(of.group()), of.selected().size(), of.filtered(), of.vms().stream().map(JtregReport::quote).collect(Collectors.joining(", ")), tests);
    }

    private static String quote(String text) {
        var quoted = new StringBuilder("\"");
        text.chars().forEach(c -> quoted.append(c == '"' || c == '\\' ? "\\" + (char) c : c < ' ' ? "\\u%04x".formatted(c) : "" + (char) c));
        return quoted.append('"').toString();
    }
}
