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
package org.ztera.kit.uses;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Objects that own memory beside the heap, which only the collector frees; they are replaced one by one. Of all that
 * were ever made, those that live have a small part: if the owners were not found dead, the memory would not suffice.
 */
public final class Owners {
    /** An owner, and what its memory must contain. */
    private static final class Owner {
        final ByteBuffer memory;
        final long seed;

        Owner(ByteBuffer memory, long seed) {
            this.memory = memory.order(ByteOrder.nativeOrder());
            this.seed = seed;
            for (int at = 0; at + Long.BYTES <= memory.capacity(); at += STEP) {
                memory.putLong(at, seed * 31 + at);
            }
        }

        boolean isRight() {
            for (int at = 0; at + Long.BYTES <= memory.capacity(); at += STEP) {
                if (memory.getLong(at) != seed * 31 + at) {
                    return false;
                }
            }
            return true;
        }
    }

    /** A word in so many bytes is written. */
    private static final int STEP = 1024;

    private final Owner[] owners;
    private final int bytes;
    private final boolean direct;
    private long made;

    /** @param direct false: the memory is in the heap, for a JVM that never collects */
    public Owners(int count, int bytes, boolean direct) {
        this.bytes = bytes;
        this.direct = direct;
        owners = new Owner[count];
        for (int i = 0; i < count; i++) {
            owners[i] = next();
        }
    }

    private Owner next() {
        return new Owner(direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes), made++);
    }

    /** The array of all that live. */
    public Object root() {
        return owners;
    }

    public int count() {
        return owners.length;
    }

    /** One dies, and a new one takes its place. Returns the dying one, of which the caller keeps nothing. */
    public Object replace(int i) {
        check(i);
        Owner dead = owners[i];
        owners[i] = next();
        return dead;
    }

    public void check(int i) {
        Use.DEAD_OWNER.check(owners[i].isRight(), "was not this one, but its memory has other bytes: " + owners[i].seed);
    }

    public void check() {
        for (int i = 0; i < owners.length; i++) {
            check(i);
        }
    }
}
