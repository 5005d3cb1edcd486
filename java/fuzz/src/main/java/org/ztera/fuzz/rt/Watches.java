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
package org.ztera.fuzz.rt;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The watches of a program over its cells, besides the references that keep them: weak, soft, phantom and JNI weak
 * references, entries of a weak map, identity hashes. None of it is ever traced, since a collector clears when it
 * likes; it is compared with the cells that a walk has met.
 */
final class Watches {
    private final ReferenceQueue<Cell> queue = new ReferenceQueue<>();
    /** The references that were not enqueued yet, and whose cells they are. */
    private final Map<Reference<Cell>, Integer> references = new HashMap<>();
    private final Map<Cell, Integer> weakMap = new WeakHashMap<>();
    private final Map<Integer, Integer> hashes = new HashMap<>();
    private final List<Natives.Weak> natives = new ArrayList<>();
    private final Set<Integer> dead = new HashSet<>();

    void weak(Cell cell) {
        WeakReference<Cell> reference = new WeakReference<>(cell, queue);
        references.put(reference, cell.uid());
        if (Plant.WEAK.isPlanted()) {
            reference.clear();
        }
    }

    void soft(Cell cell) {
        references.put(new SoftReference<>(cell, queue), cell.uid());
    }

    void phantom(Cell cell) {
        references.put(new PhantomReference<>(cell, queue), cell.uid());
    }

    void weakMap(Cell cell) {
        weakMap.put(cell, cell.uid());
    }

    void jniWeak(Cell cell) {
        natives.add(new Natives.Weak(Natives.newWeak(cell), cell.uid()));
    }

    /** Notes the identity hash, or compares it with the one that was noted. */
    void hash(Cell cell) {
        int hash = System.identityHashCode(cell);
        Integer known = hashes.putIfAbsent(cell.uid(), hash);
        FuzzError.check(known == null || known == hash, "the identity hash of a cell changed: uid " + cell.uid());
    }

    /** The caller has referred to the cell ever since it was made. */
    void alive(Cell cell) {
        poll();
        FuzzError.check(!dead.contains(cell.uid()), "a reference to a reachable cell was enqueued: uid " + cell.uid());
        Deaths.alive(cell.uid());
    }

    /** Judges all that is known of cells, by those that a walk has met and still refers to. */
    void judge(Map<Integer, Cell> reachable) {
        poll();
        for (int uid : dead) {
            FuzzError.check(!reachable.containsKey(uid), "a reference to a reachable cell was enqueued: uid " + uid);
        }
        references.forEach((reference, uid) -> judge(reference, uid, reachable.get(uid)));
        for (Natives.Weak weak : natives) {
            judge(Natives.get(weak.handle()), weak.uid(), reachable.get(weak.uid()), "a JNI weak reference");
        }
        for (Cell cell : reachable.values()) {
            Deaths.alive(cell.uid());
            if (hashes.containsKey(cell.uid())) {
                hash(cell);
            }
        }
        weakMap.forEach((cell, uid) -> FuzzError.check(cell.uid() == uid, "the value in a weak map"));
        Deaths.onceEach();
    }

    private static void judge(Reference<Cell> reference, int uid, Cell reachable) {
        if (reference instanceof PhantomReference) {
            FuzzError.check(reachable == null || reference.refersTo(reachable), "a phantom reference lost uid " + uid);
        } else {
            judge(reference.get(), uid, reachable, reference.getClass().getSimpleName());
        }
    }

    private static void judge(Object referent, int uid, Cell reachable, String kind) {
        FuzzError.check(reachable == null || referent == reachable, kind + " lost a reachable cell: uid " + uid);
        FuzzError.check(referent == null || referent instanceof Cell c && c.uid() == uid, kind + " has another cell: uid " + uid);
    }

    /** Takes what was enqueued: once each, and cleared. */
    private void poll() {
        for (Reference<? extends Cell> r = queue.poll(); r != null; r = queue.poll()) {
            Integer uid = references.remove(r);
            FuzzError.check(uid != null, "a reference was enqueued twice");
            FuzzError.check(r.refersTo(null), "an enqueued reference is not cleared: uid " + uid);
            dead.add(uid);
        }
    }

    /** How many cells are watched in a way that depends on the program alone. */
    int count() {
        return hashes.size() + natives.size();
    }

    void release() {
        natives.forEach(weak -> Natives.deleteWeak(weak.handle()));
        natives.clear();
    }
}
