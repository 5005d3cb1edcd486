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
package org.ztera.demo.source;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Divides a tree into areas, and each area into parts of similar size.
 *
 * <p>An area is a second-level directory such as {@code src/java.base}, or several small neighbours. It
 * is what gets dropped and indexed again as a whole. A part is what becomes one shard of the index: an
 * area that is too large is divided along its directories, so that building one part never needs more
 * memory than {@code partBytes} of source do.
 */
public final class ShardPlan {
    private static final int AREA_DEPTH = 2;

    /**
     * Files that are indexed together.
     *
     * @param first the directory (or file) that all files lie in, or the first of several
     * @param last the last of several, or the same as the first
     * @param files in the order of their names
     */
    public record Part(String first, String last, List<SourceFile> files) {
        public long bytes() {
            return files.stream().mapToLong(SourceFile::bytes).sum();
        }

        public String name() {
            String from = first.isEmpty() ? "." : first;
            return first.equals(last) ? from : from + " .. " + last;
        }

        private Part and(Part next) {
            List<SourceFile> both = new ArrayList<>(files);
            both.addAll(next.files);
            return new Part(first, next.last, both);
        }
    }

    /** @param name the directory, or the first and the last of several */
    public record Area(String name, List<Part> parts) {
        public long bytes() {
            return parts.stream().mapToLong(Part::bytes).sum();
        }

        /** Whether a file's path begins like this. */
        public boolean holds(String prefix) {
            return parts.stream().flatMap(part -> part.files().stream()).anyMatch(f -> f.name().startsWith(prefix));
        }
    }

    private final long partBytes;

    private ShardPlan(long partBytes) {
        this.partBytes = partBytes;
    }

    /**
     * The areas, in the order of their names.
     *
     * @param files sorted by name
     * @param partBytes how much source a part should hold at most; one file may be larger
     * @param maxBytes stop after the part that reaches this much
     */
    public static List<Area> of(List<SourceFile> files, long partBytes, long maxBytes) {
        ShardPlan plan = new ShardPlan(partBytes);
        List<Area> areas = new ArrayList<>();
        long left = maxBytes;
        for (Part whole : plan.join(parts(files, file -> SourceFile.directory(file.name(), AREA_DEPTH)))) {
            boolean single = whole.first().equals(whole.last());
            Area area = new Area(whole.name(), upTo(left, single ? plan.divide(whole) : List.of(whole)));
            left -= area.bytes();
            if (!area.parts().isEmpty()) {
                areas.add(area);
            }
        }
        return areas;
    }

    /** The first parts, up to the one that reaches {@code bytes}. */
    private static List<Part> upTo(long bytes, List<Part> parts) {
        List<Part> taken = new ArrayList<>();
        long left = bytes;
        for (Part part : parts) {
            if (left <= 0) {
                break;
            }
            taken.add(part);
            left -= part.bytes();
        }
        return taken;
    }

    private List<Part> divide(Part whole) {
        if (whole.bytes() <= partBytes || whole.files().size() == 1) {
            return List.of(whole);
        }
        int start = whole.first().isEmpty() ? 0 : whole.first().length() + 1;
        List<Part> children = new ArrayList<>();
        for (Part child : parts(whole.files(), file -> childOf(file.name(), start))) {
            children.addAll(divide(child));
        }
        return join(children);
    }

    /** A name up to the first slash at or after {@code start}: a subdirectory, or the file itself. */
    private static String childOf(String name, int start) {
        int slash = name.indexOf('/', start);
        return slash < 0 ? name : name.substring(0, slash);
    }

    private static List<Part> parts(List<SourceFile> files, Function<SourceFile, String> directory) {
        TreeMap<String, List<SourceFile>> byDirectory = new TreeMap<>();
        for (SourceFile file : files) {
            byDirectory.computeIfAbsent(directory.apply(file), _ -> new ArrayList<>()).add(file);
        }
        List<Part> parts = new ArrayList<>();
        byDirectory.forEach((name, inside) -> parts.add(new Part(name, name, inside)));
        return parts;
    }

    private List<Part> join(List<Part> parts) {
        List<Part> joined = new ArrayList<>();
        for (Part part : parts) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).bytes() + part.bytes() <= partBytes) {
                joined.set(last, joined.get(last).and(part));
            } else {
                joined.add(part);
            }
        }
        return joined;
    }
}
