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

import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that are parked with references on their stacks. One that is started runs until it pauses, and one
 * that is woken until its end, while the program waits: so all happens in the program's order.
 */
public final class Parked {
    /** The task that a program gives to such a thread; it calls the pause in its middle. */
    @FunctionalInterface
    public interface Body {
        long run(Pause pause) throws Exception;
    }

    /** Parks the virtual thread until the program wakes it. */
    public static final class Pause {
        private final Semaphore reached = new Semaphore(0);
        private volatile boolean awake;
        private long result;
        private Throwable thrown;
        private Thread thread;

        public void pause() {
            reached.release();
            while (!awake) {
                LockSupport.park(this);
            }
        }

        /** Pauses below so many frames, each with a reference and a number in it. */
        public long pause(int depth, Object held) {
            if (depth == 0) {
                pause();
                return 0;
            }
            Object[] mine = {held, depth};
            long below = pause(depth - 1, mine);
            return below + (mine[0] == held ? (Integer) mine[1] : -1_000_000);
        }

        private void run(Body body) {
            try {
                result = body.run(this);
            } catch (Throwable t) {
                thrown = t;
            } finally {
                reached.release();
            }
        }
    }

    private final ArrayDeque<Pause> paused = new ArrayDeque<>();

    void start(Body body) throws InterruptedException {
        Pause pause = new Pause();
        pause.thread = Thread.ofVirtual().start(() -> pause.run(body));
        pause.reached.acquire();
        paused.add(pause);
    }

    /** Wakes the one that has slept longest; what its body returned, or 0 if none sleeps. */
    long wake() throws Throwable {
        Pause pause = paused.poll();
        if (pause == null) {
            return 0;
        }
        pause.awake = true;
        LockSupport.unpark(pause.thread);
        pause.thread.join();
        if (pause.thrown != null) {
            throw pause.thrown;
        }
        return pause.result;
    }

    int count() {
        return paused.size();
    }
}
