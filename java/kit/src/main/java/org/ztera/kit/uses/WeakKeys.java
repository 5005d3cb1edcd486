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

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keys of a weak map, with a weak, a soft and a phantom reference and a cleaner each. They die one by one. No reference
 * may tell of the death of a key that lives; each must tell of that of a dead one, once. One thread uses it.
 */
public final class WeakKeys {
    private static final Cleaner CLEANER = Cleaner.create();
    /** For each key: weak, soft, phantom. */
    private static final int KINDS = 3;
    private static final int WORDS = 16;

    private static final class Key {
        final long number;

        Key(long number) {
            this.number = number;
        }
    }

    private Key[] keys;
    private final WeakHashMap<Key, long[]> values = new WeakHashMap<>();
    private final ReferenceQueue<Key> queue = new ReferenceQueue<>();
    private final Map<Reference<Key>, Long> references = new HashMap<>();
    /** Of keys that live and of those that do not. */
    private final Map<Long, List<Reference<Key>>> byKey = new HashMap<>();
    private final AtomicLong cleaned = new AtomicLong();
    private long made;
    private long dead;

    public WeakKeys(int count) {
        keys = new Key[count];
        for (int i = 0; i < count; i++) {
            keys[i] = next();
        }
    }

    private Key next() {
        Key key = new Key(made++);
        long[] value = new long[WORDS];
        Arrays.setAll(value, w -> key.number * WORDS + w);
        values.put(key, value);
        List<Reference<Key>> all = List.of(new WeakReference<>(key, queue), new SoftReference<>(key, queue), new PhantomReference<>(key, queue));
        all.forEach(reference -> references.put(reference, key.number));
        byKey.put(key.number, all);
        CLEANER.register(key, cleaned::incrementAndGet);
        return key;
    }

    /** The array of all that live. */
    public Object root() {
        return keys;
    }

    public int count() {
        return keys.length;
    }

    /** One dies, and a new one takes its place. Returns the dying one, of which the caller keeps nothing. */
    public Object replace(int i) {
        check(i);
        Key key = keys[i];
        keys[i] = next();
        byKey.remove(key.number);
        dead++;
        return key;
    }

    /** All die. */
    public void drop() {
        check();
        keys = new Key[0];
        byKey.clear();
        dead = made;
    }

    public void check(int i) {
        Key key = keys[i];
        long[] value = values.get(key);
        Use.DEAD_KEY.check(value != null, "has lost its value, though it lives: " + key.number);
        for (int w = 0; w < WORDS; w++) {
            Use.DEAD_KEY.check(value[w] == key.number * WORDS + w, "has another value: " + key.number);
        }
        List<Reference<Key>> all = byKey.get(key.number);
        boolean refers = all.get(0).refersTo(key) && all.get(1).refersTo(key) && all.get(2).refersTo(key);
        Use.DEAD_KEY.check(refers, "is alive, but a reference is cleared: " + key.number);
    }

    public void check() {
        for (int i = 0; i < keys.length; i++) {
            check(i);
        }
        poll();
        Use.DEAD_KEY.check(cleaned.get() <= dead, "is alive, but its cleaner ran");
    }

    /** Takes what was enqueued: once each, cleared, and of a key that is dead. */
    private void poll() {
        for (Reference<? extends Key> r = queue.poll(); r != null; r = queue.poll()) {
            Long number = references.remove(r);
            Use.DEAD_KEY.check(number != null, "was told of twice");
            Use.DEAD_KEY.check(r.refersTo(null), "was told of, but its reference is not cleared: " + number);
            Use.DEAD_KEY.check(!byKey.containsKey(number), "is alive, but was told of: " + number);
        }
    }

    /** Whether all that waited for dead keys has told. The VM must clear soft references as soon as others. */
    public boolean allHaveTold() {
        poll();
        return values.size() == made - dead && references.size() == KINDS * (made - dead) && cleaned.get() == dead;
    }

    @Override
    public String toString() {
        return made + " keys, " + dead + " of them dead; " + values.size() + " in the map, " + references.size() + " references, "
                + cleaned + " cleaned";
    }
}
