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

import java.util.SplittableRandom;

/** Blocks that are tagged, moved and dropped together, and beside them what they must contain. One thread uses it. */
final class Group {
    private static final int BLOCKS = 90;
    private static final int MOST_STRIPES = 24;
    private static final Kind[] KINDS = {Kind.SAME, Kind.TAME, Kind.TAME, Kind.LETTERS, Kind.LETTERS, Kind.NOISE};

    private final long seed;
    final Block[] blocks = new Block[BLOCKS];
    /** The model: for each block, how often each of its stripes was written, */
    private final int[][] versions = new int[BLOCKS][];
    /** where its reference leads, in the order of the world's groups, */
    private final Group[] nextGroup = new Group[BLOCKS];
    private final int[] nextBlock = new int[BLOCKS];
    /** and what its note says. */
    private final long[] notes = new long[BLOCKS];

    Group(long seed) {
        this.seed = seed;
        SplittableRandom random = new SplittableRandom(seed);
        for (int b = 0; b < BLOCKS; b++) {
            versions[b] = new int[random.nextInt(1, MOST_STRIPES + 1)];
            blocks[b] = new Block(versions[b].length);
            for (int s = 0; s < versions[b].length; s++) {
                blocks[b].fill(s, kind(b), stripeSeed(b, s));
            }
            refer(b, this, random.nextInt(BLOCKS));
            note(b, random.nextLong());
        }
    }

    private static Kind kind(int block) {
        return KINDS[block % KINDS.length];
    }

    private long stripeSeed(int block, int stripe) {
        return seed * 0x9e3779b97f4a7c15L + ((long) block << 48) + ((long) stripe << 40) + ((long) versions[block][stripe] << 10);
    }

    /** Checks or changes something of a random block. */
    void touch(SplittableRandom random, Group other) {
        int block = random.nextInt(BLOCKS);
        int stripe = random.nextInt(versions[block].length);
        check(block, stripe);
        if (random.nextInt(8) == 0) {
            versions[block][stripe]++;
            blocks[block].fill(stripe, kind(block), stripeSeed(block, stripe));
        } else if (random.nextInt(30) == 0) {
            refer(block, other, random.nextInt(BLOCKS));
            note(block, random.nextLong());
        }
    }

    private void refer(int block, Group to, int toBlock) {
        nextGroup[block] = to;
        nextBlock[block] = toBlock;
        // The group that is being made has no block there yet.
        blocks[block].next = to.blocks[toBlock];
        if (blocks[block].next == null) {
            nextGroup[block] = null;
        }
    }

    private void note(int block, long value) {
        notes[block] = value;
        blocks[block].note = value;
    }

    /** No block refers to {@code dead} any more. */
    void forget(Group dead) {
        for (int b = 0; b < BLOCKS; b++) {
            if (nextGroup[b] == dead) {
                refer(b, this, b);
            }
        }
    }

    /** Checks everything. */
    void check() {
        check(System.nanoTime() + Long.MAX_VALUE / 2);
    }

    /** Checks as many blocks as there is time for. */
    void check(long end) {
        for (int b = 0; b < BLOCKS && System.nanoTime() - end < 0; b++) {
            for (int s = 0; s < versions[b].length; s++) {
                check(b, s);
            }
        }
    }

    private void check(int b, int s) {
        Block block = blocks[b];
        int wrong = block.firstWrong(s, kind(b), stripeSeed(b, s));
        if (wrong >= 0) {
            throw new AssertionError("word " + wrong + " of " + where(b) + " in its version " + versions[b][s] + " is "
                    + Long.toHexString(block.words[wrong]) + " and should be "
                    + Long.toHexString(kind(b).word(stripeSeed(b, s), wrong % Block.STRIPE)));
        }
        Block next = nextGroup[b] == null ? null : nextGroup[b].blocks[nextBlock[b]];
        if (block.next != next) {
            throw new AssertionError("the reference of " + where(b) + " leads elsewhere");
        }
        if (!Long.valueOf(notes[b]).equals(block.note)) {
            throw new AssertionError("the note of " + where(b) + " is " + block.note + " and should be " + notes[b]);
        }
    }

    private String where(int block) {
        return "block " + block + " (" + kind(block) + ") of the group with seed " + seed;
    }
}
