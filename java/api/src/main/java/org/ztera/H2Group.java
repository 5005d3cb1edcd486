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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A group that has a name, from {@link H2#group}. Its label comes from the name alone, so all who say the same name
 * mean the same group. Two libraries with names of their own, as those of their packages, do not meet.
 *
 * {@snippet lang=java :
 * private static final H2Group SHARDS = H2.group("com.example.search/shards");
 *
 * H2Group group = SHARDS.part(shard.number());   // lives and dies by itself
 * group.tag(shard);
 * group.moveNow();
 * }
 *
 * <p>Like all of {@link H2}, groups do nothing on a JVM without a second heap. They are values, and may be used from
 * any thread.
 */
public final class H2Group {
    /** Labels of names have 63 bits. Programs that number groups by hand stay below. */
    private static final long FIRST = 1L << 62;
    private static final long RANDOM_BITS = FIRST - 1;
    /** Odd, so that a label times this tells all labels apart. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final String name;
    private final long label;

    private H2Group(String name, long label) {
        this.name = name;
        this.label = label;
    }

    static H2Group named(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a group needs a name");
        }
        return new H2Group(name, FIRST | hash(name) & RANDOM_BITS);
    }

    /** Each Java has SHA-256. Providers of certified systems leave MD5 out. */
    private static long hash(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return ByteBuffer.wrap(digest.digest(name.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which its specification asks for", e);
        }
    }

    /**
     * A group of its own within this one's name. It moves and dies by itself. Labels of numbers in a row are in a row.
     *
     * @param number any number that is not negative
     * @return the group, whose name is this one's, {@code #}, and the number
     * @throws IllegalArgumentException if {@code number} is negative
     */
    public H2Group part(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("number must not be negative: " + number);
        }
        return new H2Group(name + "#" + number, FIRST | label * SPREAD + number & RANDOM_BITS);
    }

    /** {@return the name, as given to {@link H2#group}} */
    public String name() {
        return name;
    }

    /** {@return the number by which {@code jcmd PID GC.h2_info} and the methods of {@link H2} know the group} */
    public long label() {
        return label;
    }

    /**
     * Makes {@code root} a root of this group. See {@link H2#tag}.
     *
     * @param root the object whose reachable objects belong to the group
     * @throws NullPointerException if {@code root} is null
     */
    public void tag(Object root) {
        H2.tag(root, label);
    }

    /** Asks for the group to be moved at the next full collection. See {@link H2#move}. */
    public void move() {
        H2.move(label);
    }

    /** Moves the group by a full collection now. See {@link H2#moveNow}. */
    public void moveNow() {
        H2.moveNow(label);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof H2Group && label == ((H2Group) other).label;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(label);
    }

    @Override
    public String toString() {
        return "H2 group " + name;
    }
}
