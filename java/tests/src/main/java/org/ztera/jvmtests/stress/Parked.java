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

import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.ztera.H2;

/**
 * Virtual threads that are parked with cells on their stacks, to which nothing else refers. The cells are in
 * no world: one of a world would keep all that it reaches alive, unseen by the shadow.
 */
final class Parked {
    private static final int MOST = 12;

    /** One parked thread; its result is read after it has ended. */
    private static final class Sleeper implements Runnable {
        private final long uid;
        private final long label;
        private volatile boolean awake;
        private boolean right;

        Sleeper(long uid, long label) {
            this.uid = uid;
            this.label = label;
        }

        @Override
        public void run() {
            Cell mine = new Cell(uid, -1);
            mine.a = new Cell(2 * uid, -1);
            mine.payload = Payloads.make(Payloads.LONGS, uid);
            int hash = System.identityHashCode(mine);
            H2.tag(mine, label);
            right = sleep(mine, 8) == 10 * uid && mine.uid == uid && System.identityHashCode(mine) == hash
                    && Payloads.isRight(Payloads.LONGS, uid, mine.payload);
        }

        private long sleep(Cell mine, int depth) {
            if (depth > 0) {
                return sleep(mine, depth - 1) + mine.uid;
            }
            Cell next = mine.a;
            while (!awake) {
                LockSupport.park(this);
            }
            return next.uid;
        }
    }

    private record Pair(Thread thread, Sleeper sleeper) {}

    private final ArrayDeque<Pair> parked = new ArrayDeque<>();

    /** One more thread sleeps with cells of this name; the one that has slept longest wakes if there are many. */
    void add(long uid, long label) throws InterruptedException {
        if (parked.size() == MOST) {
            wake();
        }
        Sleeper sleeper = new Sleeper(uid, label);
        parked.add(new Pair(Thread.ofVirtual().start(sleeper), sleeper));
    }

    /** Wakes the one that has slept longest and judges what it saw. */
    void wake() throws InterruptedException {
        Pair pair = parked.poll();
        if (pair != null) {
            pair.sleeper.awake = true;
            LockSupport.unpark(pair.thread);
            pair.thread.join();
            Stress.check(pair.sleeper.right, "what a virtual thread saw of its cells");
        }
    }

    /** Wakes all. */
    void wakeAll() throws InterruptedException {
        while (!parked.isEmpty()) {
            wake();
        }
    }
}
