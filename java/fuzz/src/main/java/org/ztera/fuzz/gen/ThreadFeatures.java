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
package org.ztera.fuzz.gen;

import static org.ztera.fuzz.gen.Feature.cold;

import java.util.List;
import org.ztera.fuzz.program.ClassDef.Shape;
import org.ztera.fuzz.program.Slot;

/** Virtual threads that sleep with references, monitors with contention, wait and notify, several threads at once. */
final class ThreadFeatures {
    private ThreadFeatures() {}

    static List<Feature> all() {
        return List.of(
                cold("park", 3, ThreadFeatures::park, 12),
                cold("park in a monitor", 2, ThreadFeatures::parkLocked),
                cold("park with the only reference", 2, ThreadFeatures::parkAlone, 400),
                cold("wake", 4, u -> "f.wake();"),
                cold("wait and notify", 3, ThreadFeatures::pingPong, 12),
                cold("contended monitor", 3, ThreadFeatures::contend, 12),
                cold("nested monitors", 3, ThreadFeatures::nested),
                cold("threads that allocate", 2, ThreadFeatures::allocate, 2000),
                cold("threads that share a map", 2, ThreadFeatures::map, 400),
                cold("threads that swap", 2, ThreadFeatures::swap, 600));
    }

    private static String between(Universe u) {
        return switch (u.random.nextInt(4)) {
            case 0 -> "f.gc()";
            case 1 -> "H2.moveNow(" + u.label() + ")";
            default -> "f.garbage(" + u.random.nextInt(100, 12_000) + ")";
        };
    }

    private static String park(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        Slot other = u.reference();
        return """
                {
                    %1$s mine = %2$s;
                    Object also = %3$s;
                    f.park(p -> {
                        long sum = p.pause(@0, also);
                        return sum + (mine == null ? 1 : mine.poke(3)) + (also == null ? 1 : 2);
                    });
                }""".formatted(s.type(), s.name(), other.name());
    }

    private static String parkLocked(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null && u.classNamed(x.type()).shape() == Shape.CLASS);
        return """
                {
                    %1$s lock = new %1$s(5);
                    f.tag(lock, %2$d);
                    f.park(p -> {
                        synchronized (lock) {
                            p.pause();
                            return lock.poke(1);
                        }
                    });
                    %3$s;
                }""".formatted(s.type(), u.label(), between(u));
    }

    /** Nothing but the parked stack refers to these. */
    private static String parkAlone(Universe u) {
        Slot s = u.cell();
        return s == null ? null : """
                f.park(p -> {
                    %1$s mine = new %1$s(9);
                    long[] numbers = (long[]) Primitives.make(long.class, @0, %2$d);
                    f.tag(mine, %3$d);
                    f.tag(numbers, %3$d);
                    f.weak(mine);
                    p.pause(5, numbers);
                    f.alive(mine);
                    return mine.poke(1) + Arrays.hashCode(numbers);
                });""".formatted(s.type(), u.random.nextInt(100), u.label());
    }

    private static String pingPong(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        return "if (%s != null) { acc += Threads.pingPong(%1$s, @0, %s, () -> %s); }".formatted(s.name(), u.oneIn(2), between(u));
    }

    /** A monitor of an object that has moved, or of one that has not. */
    private static String contend(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        int label = u.label();
        String move = u.oneIn(2) ? "" : "f.tag(%s, %d); H2.moveNow(%2$d); ".formatted(s.name(), label);
        return "if (%s != null) { %sacc += Threads.contend(%1$s, @0, () -> %s); }".formatted(s.name(), move, between(u));
    }

    private static String nested(Universe u) {
        Slot a = u.slot(x -> u.classNamed(x.type()) != null);
        Slot b = u.slot(x -> u.classNamed(x.type()) != null);
        return """
                if (%1$s != null && %2$s != null) {
                    synchronized (%1$s) {
                        synchronized (%2$s) {
                            %3$s;
                            synchronized (%1$s) {
                                acc += %1$s.poke(2);
                            }
                        }
                    }
                }""".formatted(a.name(), b.name(), between(u));
    }

    private static String allocate(Universe u) {
        return """
                acc += Threads.parallel(3, n -> {
                    long sum = 0;
                    Object[] kept = new Object[64];
                    for (int i = 0; i < @0; i++) {
                        kept[i & 63] = new long[] {n, i};
                    }
                    for (Object o : kept) {
                        sum += o == null ? 0 : ((long[]) o)[0] + ((long[]) o)[1];
                    }
                    return sum;
                });""";
    }

    private static String map(Universe u) {
        String t = u.fresh("map");
        return """
                {
                    ConcurrentHashMap<Object, Object> %1$s = new ConcurrentHashMap<>();
                    f.tag(%1$s, %2$d);
                    H2.moveNow(%2$d);
                    Threads.parallel(3, n -> {
                        for (int i = 0; i < @0; i++) {
                            %1$s.merge("m" + (i & 63), n + i, (a, b) -> (Long) a + (Long) b);
                        }
                        return 0;
                    });
                    for (int i = 0; i < 64; i++) {
                        acc = acc * 3 + (%1$s.get("m" + i) instanceof Long l ? l : 1);
                    }
                    // Its order depends on which thread came first.
                    %3$s = new TreeMap<>(%1$s);
                }""".formatted(t, u.label(), u.slotOf("Object").name());
    }

    /** Threads take turns at a stack of nodes by compareAndSet; in the end every node is there. */
    private static String swap(Universe u) {
        Slot s = u.slotOf("AtomicReference<Object>");
        return """
                {
                    AtomicReference<Object> top = new AtomicReference<>();
                    f.tag(top, %1$d);
                    H2.move(%1$d);
                    Threads.parallel(2, n -> {
                        for (int i = 0; i < @0; i++) {
                            Object[] node = {null, 1L + i};
                            do { node[0] = top.get(); } while (!top.compareAndSet(node[0], node));
                        }
                        return 0;
                    });
                    long sum = 0;
                    for (Object o = top.get(); o != null; o = ((Object[]) o)[0]) { sum += (Long) ((Object[]) o)[1]; }
                    acc += sum;
                    %2$s;
                    %3$s = new AtomicReference<>(sum);
                }""".formatted(u.label(), between(u), s.name());
    }
}
