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
import static org.ztera.fuzz.program.Types.element;
import static org.ztera.fuzz.program.Types.isArray;
import static org.ztera.fuzz.program.Types.isPrimitive;

import java.util.List;
import org.ztera.fuzz.gen.Universe.Place;
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.ClassDef.Shape;
import org.ztera.fuzz.program.Slot;

/** Large objects and many: deep lists, trees, wide graphs, cycles, arrays of more than a region. */
final class GraphFeatures {
    /** In bytes, of the regions in any mode's size. */
    private static final int LARGEST_REGION = 2 << 20;

    private GraphFeatures() {}

    static List<Feature> all() {
        return List.of(
                cold("deep list", 4, GraphFeatures::list, 6000),
                cold("tree", 3, GraphFeatures::tree, 4000),
                cold("wide graph", 3, GraphFeatures::wide, 3000),
                cold("big array", 4, GraphFeatures::big, 400_000),
                cold("huge array", 1, u -> huge(u, "@0"), 1_500_000),
                cold("array beyond any region", 1, u -> huge(u, LARGEST_REGION + " + @0"), 3_000_000),
                cold("empty arrays", 1, GraphFeatures::empty),
                cold("array of many dimensions", 2, GraphFeatures::dimensions, 30, 20),
                cold("cycle through Object", 3, GraphFeatures::cycle),
                cold("rewrite a wide graph", 3, GraphFeatures::rewrite, 500));
    }

    private static ClassDef linked(Universe u) {
        return u.classOf(c -> c.shape() == Shape.CLASS);
    }

    static String next(ClassDef c) {
        return c.fields().stream().filter(f -> f.name().startsWith("next")).findFirst().orElseThrow().name();
    }

    static String any(ClassDef c) {
        return c.fields().stream().filter(f -> f.name().startsWith("any")).findFirst().orElseThrow().name();
    }

    private static String list(Universe u) {
        ClassDef c = linked(u);
        return """
                for (int i = 0; i < @0; i++) {
                    %1$s t = new %1$s(i);
                    t.%2$s = %3$s;
                    %3$s = t;
                }""".formatted(c.name(), next(c), u.slotOf(c.name()).name());
    }

    /** A heap-ordered array of nodes, each of which refers to its parent and to an array of children. */
    private static String tree(Universe u) {
        ClassDef c = linked(u);
        return """
                {
                    %1$s[] all = new %1$s[@0];
                    for (int i = 0; i < all.length; i++) {
                        all[i] = new %1$s(i);
                        all[i].%2$s = all[i / 3];
                        all[i].%3$s = new %1$s[3];
                        if (i > 0) {
                            ((%1$s[]) all[i / 3].%3$s)[Math.floorMod(i, 3)] = all[i];
                        }
                    }
                    %4$s = all[0];
                }""".formatted(c.name(), next(c), any(c), u.slotOf(c.name()).name());
    }

    private static String wide(Universe u) {
        ClassDef c = linked(u);
        return """
                {
                    Object[] all = new Object[@0];
                    for (int i = 0; i < all.length; i++) {
                        %1$s t = new %1$s(i);
                        t.%2$s = i == 0 ? null : all[i * 7 / 8];
                        all[i] = t;
                    }
                    ((%1$s) all[0]).%2$s = all;
                    %3$s = all;
                }""".formatted(c.name(), any(c), u.slotOf("Object[]").name());
    }

    private static String big(Universe u) {
        Slot s = u.array(true);
        String e = element(s.type());
        int bytes = List.of("long", "double").contains(e) ? 4 : 1;
        return "%s = (%s[]) Primitives.make(%2$s.class, @0 / %d, %d);".formatted(s.name(), e, bytes, u.random.nextInt(1000));
    }

    /** @param bytes its least size; references may take twice as much */
    private static String huge(Universe u, String bytes) {
        if (u.oneIn(2)) {
            return "%s = (byte[]) Primitives.make(byte.class, %s, %d);".formatted(u.slotOf("byte[]").name(), bytes, u.random.nextInt(1000));
        }
        String any = u.slot(s -> u.classNamed(s.type()) != null).name();
        return """
                {
                    Object[] t = new Object[(%1$s) / 4];
                    Arrays.fill(t, t.length / 2, t.length / 2 + t.length / 64, %2$s);
                    %3$s = t;
                }""".formatted(bytes, any, u.slotOf("Object").name());
    }

    private static String empty(Universe u) {
        Slot s = u.slot(x -> isArray(x.type()) && !isArray(element(x.type())));
        return "%s = new %s[0];".formatted(s.name(), element(s.type()));
    }

    private static String dimensions(Universe u) {
        Slot s = u.slot(x -> isArray(x.type()) && isArray(element(x.type())));
        String e = element(element(s.type()));
        String value = isPrimitive(e) ? "(int) acc" : Values.of(u, e);
        return """
                %1$s = new %2$s[@0][@1];
                %1$s[@0 / 2][@1 / 2] = %3$s;
                %4$s = new %2$s[@0][][];""".formatted(s.name(), e, value, u.slotOf("Object").name());
    }

    private static String cycle(Universe u) {
        Place a = u.writable(f -> f.type().equals("Object"));
        Place b = u.writable(f -> f.type().equals("Object"));
        return "if (%s != null && %s != null) { %s = new Object[] {%2$s, \"cycle\"}; %s = %3$s; }"
                .formatted(a.slot().name(), b.slot().name(), a.text(), b.text());
    }

    private static String rewrite(Universe u) {
        Slot s = u.slotOf("Object[]");
        return """
                if (%1$s != null && %1$s.length > 0) {
                    for (int i = 0; i < @0; i++) {
                        int at = Math.floorMod(i * 7919 + (int) acc, %1$s.length);
                        try {
                            %1$s[at] = (i & 3) == 0 ? (Object) new int[] {i} : (i & 3) == 1 ? %1$s[at / 2] : %2$s;
                        } catch (ArrayStoreException e) {
                            acc++;
                        }
                    }
                }""".formatted(s.name(), u.reference().name());
    }
}
