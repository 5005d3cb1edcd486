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
package org.ztera;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Tells a ZTera JVM which objects may live in its second heap.
 *
 * <p>A ZTera JVM started with {@code -XX:H2Size=...} has two heaps. <b>H1</b> is the ordinary one:
 * {@code -Xmx} bounds it, new objects are born there, the collector scans it. <b>H2</b> is the second
 * one: its pages live in DRAM or, most of them, in compressed memory, and the collector does not scan
 * them. Objects in H2 are ordinary Java objects. They may be read, written, locked, hashed and
 * referenced from anywhere; no code that uses them changes. This class only says <em>which</em>
 * objects go there and <em>when</em>.
 *
 * {@snippet lang=java :
 * Shard shard = build(directory);   // any plain object graph
 * index.add(shard);                 // referenced from H1 like before
 * H2.tag(shard, label);             // "this graph belongs together"
 * H2.moveNow(label);                // "and now is a good moment"
 * }
 *
 * <p>On any other JVM, and on a ZTera JVM without {@code -XX:H2Size}, every method here does nothing
 * (after checking its arguments) and prints nothing, so that a program needs one build only.
 *
 * <h2>What to tag</h2>
 * Tag the root of a group of objects that
 * <ul>
 *   <li><b>lives long and dies together</b>: a cached partition, an index of one directory, a loaded
 *       model. Space in H2 is given back by whole regions, never object by object;</li>
 *   <li><b>is finished</b>: built once, then mostly read. Writing is always correct, but a page that is
 *       written must be compressed again, and references from H2 into H1 cost each collection a little;</li>
 *   <li><b>is large</b>: megabytes, not kilobytes. A label has regions of its own, and these die with it. Only if
 *       there are very many, small ones share regions, which die with the last of them.</li>
 * </ul>
 * One tag for the root is enough. Everything that is reachable from it moves with it, so the root
 * must not lead back to the rest of the program: a {@code parent} or {@code owner} field in a tagged
 * object would take the owner along, with all that it references.
 *
 * <h2>What never moves</h2>
 * Some objects stay in H1 even when a tagged root reaches them, and so does whatever is reachable
 * only through them: {@link java.lang.ref.Reference} and its subclasses, {@link Class} objects, class
 * loaders, threads and the stacks of virtual threads, and objects that are locked or pinned during the
 * collection. References between the two heaps work in both directions, so nothing breaks; such an
 * object simply keeps using H1.
 * <p>What others hold for as long as they live does not join a group that merely reaches it, as the group
 * could never die then: what a static field or a constant pool refers to (enum constants, the empty array
 * inside an empty collection, lambdas that capture nothing), what the JDK has in caches (time zones, small
 * numbers), the actions of cleaners, and the bytes that equal strings share after deduplication. It stays in
 * H1, or moves to a region that groups share if it is small and held for good, by a final field for one. The JVM does
 * not know the program's own caches: a group that is reached from a map lives with it.
 *
 * <h2>When objects move</h2>
 * At a full collection only: labels that were asked for, where {@link #move} leaves the time to the JVM and
 * {@link #moveNow} collects at once; and, the oldest tags first, when H1 is nearly full of live objects or an
 * {@link OutOfMemoryError} is near. The pause contains the marking of H1 and the copying of the group;
 * compression happens afterwards on other threads. Small groups moved soon after they were built keep both
 * H1 and the pauses small. If H2 has room for a part of a group only, that part moves, and the next full
 * collections go on with the rest, until all of it is in H2.
 * <p>A group that is written to so much that it is compressed again and again, or of which little is left alive, comes
 * back to H1 at a full collection, where there is room, and is tagged there as before it moved.
 *
 * <h2>How a group dies</h2>
 * Exactly as in H1: drop the last reference to it. The next full collection sees that nothing in H1,
 * no thread and no living region references a region, frees it whole, and its pages are discarded
 * uncompressed and compressed alike. There is nothing to close. One reference that remains into a
 * region keeps all of that region, and the regions it references, alive. Weak, soft and phantom
 * references to objects in H2 are cleared and enqueued when their region dies. Until then they count as
 * strongly reachable, but for collections that look through H2 object by object. Such a collection comes when H1
 * fills up or H2 has no room, when {@link System#gc} is called, when direct memory or Metaspace is short, and before
 * an {@link OutOfMemoryError}; not if nothing changed since the last one. It clears references as on any JVM.
 *
 * <h2>What it costs</h2>
 * Reading an object whose page is resident costs what it costs in H1. The first access to a compressed
 * page takes a few microseconds: that page, and its neighbours in the same unit, are decompressed. A
 * tag takes one entry in a side table; objects do not grow.
 *
 * <p>All methods may be called from any thread at any time.
 */
public final class H2 {
    private static final boolean ENABLED = probe();

    private H2() {
    }

    /**
     * Whether this JVM has a second heap.
     *
     * @return true on a ZTera JVM that was started with {@code -XX:H2Size}; the answer never changes
     *     during the life of the JVM
     */
    public static boolean isEnabled() {
        return ENABLED;
    }

    /**
     * A group that has a name in place of a number. Libraries use names, so that their numbers do not meet.
     *
     * @param name any text that is not empty; the library's package with what is meant, for one
     * @return the group; two of the same name are the same
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if {@code name} is empty
     */
    public static H2Group group(String name) {
        return H2Group.named(Objects.requireNonNull(name, "name"));
    }

    /**
     * Makes {@code root} the root of a group. Nothing moves yet.
     *
     * <p>The JVM holds the root weakly: a tag keeps nothing alive, and the tag of a dead root is
     * forgotten. The root lives until this method returns, and after that as long as the program uses it: where
     * nothing else refers to it, {@code Reference.reachabilityFence} behind {@link #moveNow} keeps it. Several
     * roots may carry the same label; they move together and share regions. A second tag on the same root replaces
     * the first. Objects that are already in H2 stay where they
     * are, whatever label they get, and that tag is forgotten. To take objects along that were added to a group after
     * it moved, tag them and ask for a move again.
     *
     * @param root the object whose reachable objects form the group
     * @param label names the group; any number that is not negative. Programs with libraries use {@link #group}
     * @throws NullPointerException if {@code root} is null
     * @throws IllegalArgumentException if {@code label} is negative
     */
    public static void tag(Object root, long label) {
        Objects.requireNonNull(root, "root");
        checkLabel(label);
        if (ENABLED) {
            tag0(root, label); // a native method holds its arguments until it returns
        }
    }

    /**
     * Asks for the groups with this label to be moved at the next full collection, whenever the JVM
     * makes one. Returns at once. Objects of H1 that the label's objects in H2 refer to by then move, too.
     *
     * @param label as given to {@link #tag}; a label that no living root carries is not an error
     * @throws IllegalArgumentException if {@code label} is negative
     */
    public static void move(long label) {
        checkLabel(label);
        if (ENABLED) {
            move0(label);
        }
    }

    /**
     * Moves the groups with this label by a full collection now, and returns after it.
     *
     * <p>For programs that know a good moment: after a batch was loaded, before requests are accepted.
     * It stops all threads as {@link System#gc()} does, for the time of marking H1 and copying the
     * group, and works even where {@code -XX:+DisableExplicitGC} is given. On a JVM without a second
     * heap no collection happens.
     *
     * <p>Roots have to be reachable when it is called, as a tag keeps nothing alive. If nothing of the label moves,
     * {@code -Xlog:gc+h2} says so, with the reason. A program sees it by {@link #contains}, or by
     * {@link Stats#movedObjects} before and after.
     *
     * @param label as given to {@link #tag}; a label that no living root carries is not an error
     * @throws IllegalArgumentException if {@code label} is negative
     */
    public static void moveNow(long label) {
        checkLabel(label);
        if (ENABLED) {
            moveNow0(label);
        }
    }

    /**
     * Makes a full collection now, which also finds what died in H2, and returns after it. That gives memory back of
     * groups that were dropped. {@link System#gc} does the same but for {@code -XX:+DisableExplicitGC}, where it does
     * nothing. On a JVM without a second heap no collection happens.
     */
    public static void collect() {
        if (ENABLED) {
            collect0();
        }
    }

    /**
     * Whether an object is in the second heap at this moment. For tests and diagnosis.
     *
     * @param object any object, or null
     * @return true if the object lies in H2; false for null
     */
    public static boolean contains(Object object) {
        return ENABLED && object != null && contains0(object);
    }

    /**
     * The state of the second heap. The numbers are read one after the other while the program runs,
     * so they may differ from each other by what happened meanwhile.
     *
     * @return a snapshot; {@link Stats#NONE} if there is no second heap
     */
    public static Stats stats() {
        return ENABLED ? new Stats(stats0()) : Stats.NONE;
    }

    /**
     * A snapshot of the second heap. Sizes are in bytes. Those from {@link #residentBytes} on describe the
     * tiers below H2 and are zero when H2 is a mapped file ({@code -XX:H2Backing=file}). The four about the
     * SSD are zero without an SSD tier ({@code -XX:H2Path}); {@link #dueBytes} is zero with one.
     */
    public static final class Stats {
        /** The numbers in the JVM's order: the names of the methods below. */
        private static final String[] NAMES = {
            "capacityBytes", "usedBytes", "regionBytes", "regionsTotal", "regionsUsed", "regionsFreed",
            "movedObjects", "movedBytes", "tags", "residentBytes", "stagedBytes", "compressedBytes",
            "comprDataSize", "memUsedTotal", "samePages", "hugePages", "faultCount", "ssdDataSize", "ssdUsed",
            "ssdReadBytes", "ssdWriteBytes", "dueBytes"
        };

        /** The statistics of a JVM that has no second heap: all zero. */
        public static final Stats NONE = new Stats(new long[0]);

        private final long[] values;

        /** An older JVM lacks the last numbers. This class ignores what a newer one appends. */
        private Stats(long[] told) {
            values = Arrays.copyOf(told, NAMES.length);
        }

        /** {@return the size of H2, from {@code -XX:H2Size}} */
        public long capacityBytes() {
            return values[0];
        }

        /** {@return what objects in H2 occupy, dead ones in living regions included} */
        public long usedBytes() {
            return values[1];
        }

        /** {@return the size of one region} */
        public long regionBytes() {
            return values[2];
        }

        /** {@return how many regions H2 has} */
        public long regionsTotal() {
            return values[3];
        }

        /** {@return how many of them hold objects} */
        public long regionsUsed() {
            return values[4];
        }

        /** {@return how many regions have died since the start} */
        public long regionsFreed() {
            return values[5];
        }

        /** {@return how many objects have moved to H2 since the start} */
        public long movedObjects() {
            return values[6];
        }

        /** {@return how many bytes they were} */
        public long movedBytes() {
            return values[7];
        }

        /** {@return how many living roots in H1 are tagged} */
        public long tags() {
            return values[8];
        }

        /** {@return pages of H2 that are uncompressed in DRAM} */
        public long residentBytes() {
            return values[9];
        }

        /** {@return pages that moved and wait for compression} */
        public long stagedBytes() {
            return values[10];
        }

        /** {@return pages that are stored compressed in DRAM, before compression} */
        public long compressedBytes() {
            return values[11];
        }

        /**
         * The former name of {@link #compressedBytes}: elsewhere {@code origDataSize} has the SSD's part, too.
         *
         * @return bytes
         * @deprecated for {@link #compressedBytes}
         */
        @Deprecated
        public long origDataSize() {
            return compressedBytes();
        }

        /** {@return the same pages after compression} */
        public long comprDataSize() {
            return values[12];
        }

        /** {@return DRAM that the compressed pages use, with the allocator's own needs} */
        public long memUsedTotal() {
            return values[13];
        }

        /** {@return pages of 4 KiB that hold one repeated word and take no memory} */
        public long samePages() {
            return values[14];
        }

        /** {@return pages of 4 KiB that did not compress and are stored as they are} */
        public long hugePages() {
            return values[15];
        }

        /** {@return accesses that found a page not resident, since the start} */
        public long faultCount() {
            return values[16];
        }

        /** {@return pages that are on SSD, before compression} */
        public long ssdDataSize() {
            return values[17];
        }

        /** {@return space on SSD that they use} */
        public long ssdUsed() {
            return values[18];
        }

        /** {@return how much was read from SSD since the start} */
        public long ssdReadBytes() {
            return values[19];
        }

        /** {@return how much was written to SSD since the start} */
        public long ssdWriteBytes() {
            return values[20];
        }

        /**
         * {@return how much data that do not compress H2 holds beyond what the memory limit leaves it once H1 has its
         * full size ({@code -Xmx})} H1 cannot have that memory back, so a program with a cache should drop as much of
         * it, and then collect. Never more than the data that do not compress: what compresses gives way by itself.
         * Zero where the memory limit is the whole machine's.
         */
        public long dueBytes() {
            return values[21];
        }

        /**
         * How much smaller compression makes the pages: {@link #compressedBytes} over
         * {@link #memUsedTotal}, the allocator's own needs included.
         *
         * @return the ratio, or 0 when nothing is stored
         */
        public double compressionRatio() {
            return memUsedTotal() == 0 ? 0 : (double) compressedBytes() / memUsedTotal();
        }

        /** {@return all numbers by the names of their methods, in this order} */
        public Map<String, Long> byName() {
            Map<String, Long> all = new LinkedHashMap<>();
            for (int i = 0; i < NAMES.length; i++) {
                all.put(NAMES[i], values[i]);
            }
            return Collections.unmodifiableMap(all);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Stats && Arrays.equals(values, ((Stats) other).values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return "Stats" + byName();
        }
    }

    private static void checkLabel(long label) {
        if (label < 0) {
            throw new IllegalArgumentException("label must not be negative: " + label);
        }
    }

    /** The JVM itself provides the natives below; elsewhere the first call finds no such method. */
    private static boolean probe() {
        try {
            return isEnabled0();
        } catch (UnsatisfiedLinkError stockJvm) {
            return false;
        }
    }

    private static native boolean isEnabled0();

    private static native void tag0(Object root, long label);

    private static native void move0(long label);

    private static native void moveNow0(long label);

    private static native void collect0();

    private static native boolean contains0(Object object);

    private static native long[] stats0();
}
