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
package org.ztera.jvmtests.stress;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.ztera.H2;

/**
 * One thread's groups of cells, real and in the shadow, and the operations that change both alike.
 *
 * <p>A group is what is tagged. Cells refer to cells of any group of the same world, so wherever the groups
 * are, references cross between the heaps and between regions in every direction. The first groups are
 * never tagged. A group is given up in one of two ways: <em>severed</em>, when every reference into it is
 * erased and its ids are free again, or just <em>dropped</em>: what others still refer to lives on and
 * stays in the shadow until the group is severed, too.
 */
final class World {
    static final int GROUPS = 24;
    private static final int UNTAGGED = 3;
    private static final int DROPPED_MOST = 12;
    static final int LABELS = 10;

    /** The roots that are tagged: a group's cells, twice. */
    private static final class Group {
        final Cell[] members;
        final Map<Long, Cell> byUid = new HashMap<>();

        Group(int size) {
            members = new Cell[size];
        }
    }

    final Shadow shadow;
    private final SplittableRandom random;
    private final Watches watches;
    private final Group[] groups = new Group[GROUPS];
    /** Ids of each group's members; of the dropped ones in the second half. */
    private final int[][] ids = new int[GROUPS + DROPPED_MOST][];

    World(Shadow shadow, SplittableRandom random, Watches watches) {
        this.shadow = shadow;
        this.random = random;
        this.watches = watches;
    }

    /** Gives up what is in a group's place and makes a new group there. */
    void replaceGroup(int g) {
        int size = random.nextInt(1, 250);
        boolean sever = random.nextBoolean();
        if (groups[g] != null) {
            giveUp(g, sever);
        }
        if (shadow.hasRoom(size)) {
            create(g, size);
        }
    }

    private void create(int g, int size) {
        Group group = new Group(size);
        ids[g] = new int[size];
        int shape = random.nextInt(3);
        for (int i = 0; i < size; i++) {
            Cell cell = shadow.create();
            ids[g][i] = cell.id;
            group.members[i] = cell;
            group.byUid.put(cell.uid, cell);
            switch (shape) {
                case 0 -> link(cell, i == 0 ? null : group.members[i - 1], null);
                case 1 -> link(cell, i == 0 ? null : group.members[(i - 1) / 2], group.members[random.nextInt(i + 1)]);
                default -> link(cell, group.members[random.nextInt(i + 1)], group.members[random.nextInt(i + 1)]);
            }
            setValue(cell);
        }
        groups[g] = group;
    }

    private void link(Cell cell, Cell a, Cell b) {
        setA(cell, a);
        setB(cell, b);
    }

    private static int id(Cell cell) {
        return cell == null ? -1 : cell.id;
    }

    void setA(Cell cell, Cell to) {
        cell.a = to;
        shadow.a[cell.id] = id(to);
    }

    void setB(Cell cell, Cell to) {
        cell.b = to;
        shadow.b[cell.id] = id(to);
    }

    void setValue(Cell cell) {
        cell.value = random.nextLong();
        shadow.value[cell.id] = cell.value;
    }

    void setPayload(Cell cell, byte kind, long seed, Object payload, int... cells) {
        cell.payload = payload;
        shadow.kind[cell.id] = kind;
        shadow.seed[cell.id] = seed;
        shadow.fan[cell.id] = cells.length == 0 ? null : cells;
    }

    void setFan(Cell cell, int index, Cell to) {
        ((Cell[]) cell.payload)[index] = to;
        shadow.fan[cell.id][index] = id(to);
    }

    private void giveUp(int g, boolean sever) {
        watches.letGo(groups[g].members);
        groups[g] = null;
        int place = sever ? -1 : freePlaceForDropped();
        if (place >= 0) {
            ids[place] = ids[g];
            ids[g] = null;
        } else {
            sever(g);
        }
    }

    private int freePlaceForDropped() {
        for (int i = GROUPS; i < ids.length; i++) {
            if (ids[i] == null) {
                return i;
            }
        }
        return -1;
    }

    /** Severs a random one of the dropped groups. */
    void severDropped() {
        int i = GROUPS + random.nextInt(DROPPED_MOST);
        if (ids[i] != null) {
            sever(i);
        }
    }

    private void sever(int g) {
        BitSet gone = new BitSet(Shadow.CAPACITY);
        for (int id : ids[g]) {
            gone.set(id);
        }
        new Walk(this).cut(gone);
        for (int id : ids[g]) {
            shadow.release(id);
        }
        ids[g] = null;
    }

    /** Gives everything up. */
    void clear() {
        for (int g = 0; g < GROUPS; g++) {
            if (groups[g] != null) {
                giveUp(g, true);
            }
        }
        for (int g = GROUPS; g < ids.length; g++) {
            if (ids[g] != null) {
                sever(g);
            }
        }
    }

    /** A random cell of a random group, null if there is none there. */
    Cell randomCell() {
        Group group = groups[random.nextInt(GROUPS)];
        return group == null ? null : group.members[random.nextInt(group.members.length)];
    }

    /** A random group gets a label. */
    void tag(long label) {
        Group group = groups[random.nextInt(UNTAGGED, GROUPS)];
        if (group != null) {
            H2.tag(group, label);
        }
    }

    /** Shows all members of all groups to the walk. */
    void roots(Walk walk) {
        for (int g = 0; g < GROUPS; g++) {
            Group group = groups[g];
            if (group != null) {
                Stress.check(group.members.length == ids[g].length, "size of group " + g);
                Stress.check(group.byUid.size() == ids[g].length, "size of the map of group " + g);
                for (int i = 0; i < group.members.length; i++) {
                    Cell cell = group.members[i];
                    Stress.check(cell.id == ids[g][i], "member " + i + " of group " + g);
                    Stress.check(group.byUid.get(cell.uid) == cell, "map of group " + g);
                    walk.visit(cell);
                }
            }
        }
    }

    /** Whether a live group has the cell as a member. */
    boolean isMember(long uid) {
        for (Group group : groups) {
            if (group != null && group.byUid.containsKey(uid)) {
                return true;
            }
        }
        return false;
    }

    /** Checks every cell that is reachable against the shadow; returns their number. */
    int verify() {
        return new Walk(this).verify();
    }
}
