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
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BooleanSupplier;

/**
 * A sign that must tell of a cell's death, within some collections after it was dropped; it does not keep the cell.
 *
 * @param kind in words
 * @param uid of the cell
 * @param given asks whether it has told, which some kinds say but once
 */
record Sign(String kind, int uid, BooleanSupplier given) {

    static Sign weak(Cell cell) {
        ReferenceQueue<Cell> queue = new ReferenceQueue<>();
        return enqueued("weak reference", cell.uid(), new WeakReference<>(cell, queue), queue);
    }

    static Sign phantom(Cell cell) {
        ReferenceQueue<Cell> queue = new ReferenceQueue<>();
        return enqueued("phantom reference", cell.uid(), new PhantomReference<>(cell, queue), queue);
    }

    private static Sign enqueued(String kind, int uid, Reference<Cell> reference, ReferenceQueue<Cell> queue) {
        return new Sign(kind, uid, () -> reference.refersTo(null) && queue.poll() == reference);
    }

    /** The VM must have been told to clear soft references as soon as weak ones. */
    static Sign soft(Cell cell) {
        ReferenceQueue<Cell> queue = new ReferenceQueue<>();
        return enqueued("soft reference", cell.uid(), new SoftReference<>(cell, queue), queue);
    }

    static Sign weakMap(Cell cell) {
        Map<Cell, Object> map = new WeakHashMap<>(Map.of(cell, new long[5]));
        return new Sign("weak map", cell.uid(), map::isEmpty);
    }

    static Sign cleaner(Cell cell) {
        int uid = cell.uid();
        Deaths.clean(cell);
        return new Sign("cleaner", uid, () -> Deaths.isCleaned(uid));
    }

    /** @param cell whose class has a finalizer */
    static Sign finalizer(Cell cell) {
        int uid = cell.uid();
        return new Sign("finalizer", uid, () -> Deaths.isFinalized(uid));
    }

    /** The reference is deleted when it has told. */
    static Sign jniWeak(Cell cell) {
        long handle = Natives.newWeak(cell);
        return new Sign("JNI weak reference", cell.uid(), () -> {
            boolean cleared = Natives.get(handle) == null;
            if (cleared) {
                Natives.deleteWeak(handle);
            }
            return cleared;
        });
    }

    boolean isGiven() {
        return given.getAsBoolean();
    }

    @Override
    public String toString() {
        return kind + " of uid " + uid;
    }
}
