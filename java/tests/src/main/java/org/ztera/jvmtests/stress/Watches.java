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

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Weak and phantom references to cells, outside the graph. Cells are reported dead only after their group
 * was given up, and at the end, when all is given up, every one of them can be.
 */
final class Watches {
    private static final int MOST = 600;

    private interface Named {
        long uid();
    }

    private static final class Weak extends WeakReference<Cell> implements Named {
        private final long uid;

        Weak(Cell cell, ReferenceQueue<Cell> queue) {
            super(cell, queue);
            uid = cell.uid;
        }

        @Override
        public long uid() {
            return uid;
        }
    }

    private static final class Phantom extends PhantomReference<Cell> implements Named {
        private final long uid;

        Phantom(Cell cell, ReferenceQueue<Cell> queue) {
            super(cell, queue);
            uid = cell.uid;
        }

        @Override
        public long uid() {
            return uid;
        }
    }

    private final ReferenceQueue<Cell> queue = new ReferenceQueue<>();
    private final Set<Reference<Cell>> references = new HashSet<>();
    private final WeakHashMap<Cell, Long> weakMap = new WeakHashMap<>();
    private final Map<Cell, Long> identityMap = new IdentityHashMap<>();
    private long dead;

    /** Watches a cell in one more way. */
    void add(Cell cell, int way) {
        if (references.size() + weakMap.size() > MOST) {
            return;
        }
        switch (way) {
            case 0 -> references.add(new Weak(cell, queue));
            case 1 -> references.add(new Phantom(cell, queue));
            default -> weakMap.put(cell, cell.uid);
        }
    }

    /** Holds a few cells strongly by their identity hash; each call for a cell reverses the one before. */
    void toggleIdentity(Cell cell) {
        Long uid = identityMap.remove(cell);
        Stress.check(uid == null || uid == cell.uid, "uid in the identity map");
        if (uid == null && identityMap.size() < 50) {
            identityMap.put(cell, cell.uid);
        }
    }

    /** Takes what was enqueued. A cell that a live group has as a member must not be among it. */
    void poll(World world) {
        for (Reference<? extends Cell> r = queue.poll(); r != null; r = queue.poll()) {
            long uid = ((Named) r).uid();
            Stress.check(references.remove(r), "a reference was enqueued twice, uid " + Long.toHexString(uid));
            Stress.check(r.refersTo(null), "an enqueued reference is not cleared, uid " + Long.toHexString(uid));
            Stress.check(!world.isMember(uid), "the cell of an enqueued reference is alive, uid " + Long.toHexString(uid));
            dead++;
        }
    }

    /** The maps contain what was put into them. */
    void verify() {
        weakMap.forEach((cell, uid) -> Stress.check(cell.uid == uid, "uid in the weak map"));
        identityMap.forEach((cell, uid) -> Stress.check(cell.uid == uid, "uid in the identity map"));
        for (Reference<Cell> r : references) {
            if (r instanceof Weak w) {
                Cell cell = w.get();
                Stress.check(cell == null || cell.uid == w.uid, "uid of a weak referent");
            }
        }
    }

    /** References enqueued so far. */
    long dead() {
        return dead;
    }

    /**
     * Lets go of cells that are held strongly and are to be given up: all that they reach would stay alive,
     * where no walk sees it.
     */
    void letGo(Cell[] cells) {
        for (Cell cell : cells) {
            identityMap.remove(cell);
        }
    }

    /** The cells that are still watched. */
    int pending() {
        return references.size() + weakMap.size();
    }
}
