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
import static org.ztera.fuzz.gen.Feature.hot;

import java.util.List;
import org.ztera.fuzz.program.Slot;

/** The JDK's collections. No element is compared by equals: collections may contain themselves. */
final class CollectionFeatures {
    private CollectionFeatures() {}

    static List<Feature> all() {
        return List.of(
                hot("list add", 4, u -> on(u, "List<Object>", "if (%1$s.size() > 150) { %1$s.clear(); } %1$s.add(" + element(u) + ");")),
                hot("list get", 3, u -> on(u, "List<Object>", "if (!%1$s.isEmpty()) { " + u.slotOf("Object").name()
                        + " = %1$s.get(%1$s.size() / 2); }")),
                hot("list set", 2, u -> on(u, "List<Object>", "if (!%1$s.isEmpty()) { %1$s.set(%1$s.size() / 3, " + element(u) + "); }")),
                hot("list remove", 2, u -> on(u, "List<Object>", "if (!%1$s.isEmpty()) { %1$s.remove(%1$s.size() - 1); }")),
                hot("map put", 4, u -> on(u, "Map<Object, Object>", "%1$s.put(\"k\" + (acc & 127), " + notNull(u) + ");")),
                hot("map get", 3, u -> on(u, "Map<Object, Object>", u.slotOf("Object").name() + " = %1$s.get(\"k\" + (acc & 127));")),
                hot("map remove", 2, u -> on(u, "Map<Object, Object>", "acc += %1$s.remove(\"k\" + (acc & 31)) == null ? 1 : 2;")),
                hot("map merge", 2, u -> on(u, "Map<Object, Object>", "%1$s.merge(\"m\" + (acc & 15), 1L, (a, b) -> a instanceof Long t ? t + 3 : b);")),
                hot("deque", 3, CollectionFeatures::deque),
                hot("identity map", 4, CollectionFeatures::identity),
                hot("atomic reference", 2, CollectionFeatures::atomic),
                cold("sorted map", 1, u -> u.slotOf("Map<Object, Object>").name() + " = new TreeMap<>();"),
                cold("grow a map", 2, CollectionFeatures::grow, 600),
                cold("stream", 2, CollectionFeatures::stream, 300));
    }

    private static String on(Universe u, String type, String code) {
        Slot s = u.slotOf(type);
        return ("if (%1$s != null) { " + code + " }").formatted(s.name());
    }

    private static String element(Universe u) {
        return Values.of(u, "Object");
    }

    private static String notNull(Universe u) {
        Slot s = u.reference();
        return "(%s == null ? \"none\" : %s)".formatted(s.name(), s.name());
    }

    private static String deque(Universe u) {
        String t = u.fresh("t");
        return on(u, "Deque<Object>", "%1$s.addLast(" + notNull(u) + "); if (%1$s.size() > 40) { Object " + t
                + " = %1$s.pollFirst(); acc += " + t + " instanceof Node ? 1 : 2; }");
    }

    /** The keys' identity hashes stay what they were, or entries are lost. */
    private static String identity(Universe u) {
        Slot key = u.slot(s -> u.classNamed(s.type()) != null);
        String t = u.fresh("t");
        return on(u, "IdentityHashMap<Object, Integer>", """
                if (%1$s.size() > 100) { %1$s.clear(); } Integer KEY = %1$s.get(SLOT); acc += KEY == null ? 7 : KEY;
                %1$s.put(SLOT, (int) (acc & 63)); f.check(%1$s.containsKey(SLOT), "an entry of an identity map is found");"""
                .replace("KEY", t).replace("SLOT", key.name()));
    }

    private static String atomic(Universe u) {
        String t = u.fresh("t");
        return on(u, "AtomicReference<Object>", "Object " + t + " = %1$s.get(); f.check(%1$s.compareAndSet(" + t + ", " + element(u)
                + "), \"compareAndSet with what is there\"); " + u.slotOf("Object").name() + " = " + t + ";");
    }

    private static String grow(Universe u) {
        String i = u.fresh("i");
        return on(u, "Map<Object, Object>", "for (int I = 0; I < @0; I++) { %1$s.put(\"g\" + I, new long[] {I, acc}); }".replace("I", i));
    }

    private static String stream(Universe u) {
        String c = u.classOf(x -> x.shape() == org.ztera.fuzz.program.ClassDef.Shape.CLASS).name();
        String t = u.fresh("t");
        return """
                {
                    List<Object> %1$s = new ArrayList<>(java.util.stream.IntStream.range(0, @0).mapToObj(i -> new %2$s(i)).toList());
                    acc += %1$s.stream().mapToLong(o -> ((Node) o).poke(2)).sum();
                    %3$s = %1$s;
                }""".formatted(t, c, u.slotOf("List<Object>").name());
    }
}
