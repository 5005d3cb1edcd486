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

/** A piece of a group: words, a reference to another block, and one to an object that is born in H1. */
final class Block {
    /** Words that change as one. */
    static final int STRIPE = 512;

    final long[] words;
    Block next;
    Object note;

    Block(int stripes) {
        words = new long[stripes * STRIPE];
    }

    void fill(int stripe, Kind kind, long seed) {
        for (int i = 0, at = stripe * STRIPE; i < STRIPE; i++, at++) {
            words[at] = kind.word(seed, i);
        }
    }

    /** The index of the first word of the stripe that is wrong; -1 if none is. */
    int firstWrong(int stripe, Kind kind, long seed) {
        for (int i = 0, at = stripe * STRIPE; i < STRIPE; i++, at++) {
            if (words[at] != kind.word(seed, i)) {
                return at;
            }
        }
        return -1;
    }
}
