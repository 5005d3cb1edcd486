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
package org.ztera.jvmtests.soak;

/**
 * A failure below H2 for a while. None of it loses data: a write that fails leaves the data in memory, and what
 * comes late comes. A loss of data ends the VM; that is {@link End}'s business.
 */
enum Fault {
    /** Nothing. */
    NONE(""),
    /** The file system is full. */
    NO_SPACE("ssd.allocate errno=28\nbacking.write errno=28"),
    /** The file system has room for what is there, not for more. */
    FILE_TOO_LARGE("ssd.allocate errno=27"),
    /** The disk does not write. */
    WRITES_FAIL("ssd.write errno=5"),
    /** The disk does not always write. */
    SOME_WRITES_FAIL("ssd.write errno=5 gap=2"),
    /** Of what is to be written, the disk takes a block. */
    SHORT_WRITES("ssd.write.short errno=0 gap=1"),
    /** Seconds for a write. */
    SLOW_WRITES("ssd.write delay=1500 times=4"),
    /** Seconds for a read. */
    SLOW_READS("ssd.read delay=1500 times=4"),
    /** A disk of another age. */
    SLOW_DISK("ssd.write delay=20 times=300\nbacking.read delay=8 times=500"),
    /** No memory for what moves. */
    NO_STAGING("staging.map errno=12"),
    /** No memory for a page that is wanted, for a while. */
    NO_PAGES("uffd.copy.short errno=0 gap=9 times=20\nuffd.copy errno=12 gap=9 times=200"),
    /** The pool takes only some units. */
    POOL_REFUSES("pool.store errno=0 gap=2"),
    /** The codec gives up now and then. */
    NO_CODEC("codec.pack errno=0 gap=2"),
    /** The kernel asks to try again. */
    AGAIN("uffd.copy errno=11 gap=1 times=2000\nuffd.protect errno=11 gap=1 times=2000"),
    /** The kernel has no memory for its own tables for a moment. */
    REFUSED("uffd.copy errno=12 gap=1 times=2000\nuffd.protect errno=12 gap=1 times=2000\nmemory.drop errno=11 gap=1 times=2000"),
    /** The disk reads at the second try. */
    SOME_READS_FAIL("ssd.read errno=5 gap=49 times=100\nssd.corrupt errno=0 gap=49 times=20");

    private final String rules;

    Fault(String rules) {
        this.rules = rules;
    }

    /** Makes it happen from now on, instead of what happened before. */
    void begin() {
        Injection.rules(rules);
    }

    /** How often it has happened since it began. */
    long count() {
        return rules.lines().mapToLong(line -> Injection.count(line.substring(0, line.indexOf(' ')))).sum();
    }
}
