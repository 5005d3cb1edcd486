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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ztera.H2;
import org.ztera.kit.uses.Owners;
import org.ztera.kit.uses.Stranger;
import org.ztera.kit.uses.Use;
import org.ztera.kit.uses.WeakKeys;

/** The uses that a program makes of its objects besides Java: see {@link Use}, which counts them. */
public final class Uses {
    /** The reference never collects: there, memory beside the heap would not be freed. */
    private static final boolean DIRECT = !Boolean.getBoolean("fuzz.reference");
    /** In other JVMs, threads serve their own faults to the end. */
    private static final boolean DOWNCALLS = Boolean.getBoolean("fuzz.downcalls");
    private static final int OWNED_BYTES = 64 << 10;
    private static final int MOST_COLLECTIONS = 60;

    private final List<WeakKeys> keys = new ArrayList<>();

    Uses() {}

    /** Native code copies the start of one array to another, or to itself. */
    public void copy(Use use, byte[] from, byte[] into, int most) throws Exception {
        int length = from == null || into == null ? 0 : Math.min(most, Math.min(from.length, into.length));
        if (length > 0 && use.isDowncall() && !DOWNCALLS) {
            System.arraycopy(from, 0, into, 0, length);
        } else if (length > 0) {
            use.copy(from, into, length);
            use.done(H2.contains(from) || H2.contains(into));
        }
    }

    /** A thread of native code that blocks SIGBUS runs code that uses the object. */
    public void strangeThread(boolean blocksEarly, Object o, Runnable code) {
        Stranger.runs(blocksEarly, code);
        Use.STRANGE_THREAD.done(H2.contains(o));
    }

    /** Owners of memory beside the heap grow old, and are replaced one by one until the memory was used up twice. */
    public void owners(int count, int replaced, long label) {
        Owners owners = new Owners(count, OWNED_BYTES, DIRECT);
        SplittableRandom random = new SplittableRandom(replaced);
        for (int i = 0; i < replaced; i++) {
            if (i % (replaced / 2) == 0) {
                H2.tag(owners.root(), label);
                H2.moveNow(label);
            }
            Use.DEAD_OWNER.done(H2.contains(owners.replace(random.nextInt(count))));
        }
        owners.check();
    }

    /** Keys of a new weak map, which move at once. */
    public void weakKeys(int count, long label) {
        WeakKeys some = new WeakKeys(count);
        H2.tag(some.root(), label);
        H2.moveNow(label);
        keys.add(some);
    }

    /** Some keys die, of each map. */
    public void replaceKeys(int count) {
        SplittableRandom random = new SplittableRandom(count);
        for (WeakKeys some : keys) {
            for (int i = 0; i < count; i++) {
                Use.DEAD_KEY.done(H2.contains(some.replace(random.nextInt(some.count()))));
            }
            some.check();
        }
    }

    /** All keys die. */
    void drop() {
        keys.forEach(WeakKeys::drop);
    }

    /** Collects until all that waited for dead keys has told. */
    void awaitDeaths() throws InterruptedException {
        for (int i = 1; i <= MOST_COLLECTIONS && !keys.stream().allMatch(WeakKeys::allHaveTold); i++) {
            System.gc();
            Thread.sleep(i);
        }
        FuzzError.check(keys.stream().allMatch(WeakKeys::allHaveTold), "nothing tells of the death of weak keys: " + keys);
    }

    /** Reports how often each use was made, never among them. */
    static void totals(Trace trace) {
        for (Use use : Use.values()) {
            if (use.isDowncall() && !DOWNCALLS) {
                continue;
            }
            trace.total("used " + use, use.times());
            if (H2.isEnabled() && use != Use.STRANGE_FAULT) {
                trace.total("used in H2 " + use, use.timesOfOld());
            }
        }
    }
}
