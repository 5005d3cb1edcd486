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

import static org.ztera.fuzz.gen.Feature.hot;
import static org.ztera.fuzz.program.Types.element;
import static org.ztera.fuzz.program.Types.isArray;
import static org.ztera.fuzz.program.Types.isPrimitive;

import java.util.List;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Types;

/** Arrays of all element types: read, written, copied, cloned. */
final class ArrayFeatures {
    private ArrayFeatures() {}

    static List<Feature> all() {
        return List.of(
                hot("array write", 7, ArrayFeatures::write),
                hot("array read", 5, ArrayFeatures::read),
                hot("array loop", 4, ArrayFeatures::loop),
                hot("array of primitives", 6, ArrayFeatures::primitives),
                hot("overlapping arraycopy", 4, ArrayFeatures::overlapping),
                hot("arraycopy", 3, ArrayFeatures::copy),
                hot("type-checked arraycopy", 3, ArrayFeatures::checked),
                hot("array clone", 3, ArrayFeatures::cloned),
                hot("array fill", 2, ArrayFeatures::fill),
                hot("array of arrays", 3, ArrayFeatures::nested),
                hot("covariant array", 2, ArrayFeatures::covariant));
    }

    /** An index that is in bounds if the array is not empty. */
    private static String at(String array, int salt) {
        return array + "[Math.floorMod((int) acc + " + salt + ", " + array + ".length)]";
    }

    private static String write(Universe u) {
        Slot s = u.array(false);
        return "try { if (%s != null && %1$s.length > 0) { %s = %s; } } catch (ArrayStoreException e) { acc += 17; }"
                .formatted(s.name(), at(s.name(), u.random.nextInt(50)), Values.of(u, element(s.type())));
    }

    private static String read(Universe u) {
        Slot s = u.array(false);
        Slot to = u.slot(x -> u.assignable(element(s.type()), x.type()));
        return to == null ? null : "if (%s != null && %1$s.length > 0) { %s = %s; }"
                .formatted(s.name(), to.name(), at(s.name(), u.random.nextInt(50)));
    }

    private static String loop(Universe u) {
        Slot s = u.array(false);
        String i = u.fresh("i");
        return "if (%s != null) { for (int %s = 0; %2$s < Math.min(%1$s.length, 60); %2$s++) { acc = acc * 7 + (%1$s[%2$s] == null ? 1 : 2); } }"
                .formatted(s.name(), i);
    }

    private static String primitives(Universe u) {
        Slot s = u.array(true);
        String e = element(s.type());
        String at = at(s.name(), u.random.nextInt(5000));
        return "if (%s != null && %1$s.length > 0) { acc = acc * 31 + %s; %s = %s; }".formatted(s.name(),
                Types.toLong(e, at), at(s.name(), u.random.nextInt(5000)), Types.fromLong(e, "acc >>> 5"));
    }

    private static String overlapping(Universe u) {
        Slot s = u.array(u.oneIn(2));
        int by = u.random.nextInt(1, 6);
        String from = u.oneIn(2) ? "0, %1$s, " + by : by + ", %1$s, 0";
        return ("if (%1$s != null && %1$s.length > " + by + ") { System.arraycopy(%1$s, " + from + ", Math.min(%1$s.length - " + by
                + ", 500)); }").formatted(s.name());
    }

    private static String copy(Universe u) {
        Slot from = u.slot(s -> isArray(s.type()));
        Slot to = u.slotOf(from.type());
        return """
                if (%1$s != null && %2$s != null) {
                    try {
                        System.arraycopy(%1$s, 0, %2$s, 0, Math.min(300, Math.min(%1$s.length, %2$s.length)));
                    } catch (ArrayStoreException e) {
                        acc += 19;
                    }
                }""".formatted(from.name(), to.name());
    }

    /** Copies until an element does not fit. */
    private static String checked(Universe u) {
        Slot from = u.slotOf("Object[]");
        Slot to = u.slot(s -> isArray(s.type()) && !isPrimitive(element(s.type())));
        return """
                if (%1$s != null && %2$s != null) {
                    try {
                        System.arraycopy(%1$s, 0, %2$s, 0, Math.min(%1$s.length, %2$s.length));
                    } catch (ArrayStoreException e) {
                        acc += 23;
                    }
                }""".formatted(from.name(), to.name());
    }

    private static String cloned(Universe u) {
        Slot s = u.slot(x -> isArray(x.type()));
        Slot to = u.slotOf(s.type());
        return "if (%s != null && %1$s.length < 3000) { %s = %1$s.clone(); }".formatted(s.name(), to.name());
    }

    private static String fill(Universe u) {
        Slot s = u.array(u.oneIn(2));
        String fill = "Arrays.fill(%1$s, 0, Math.min(%1$s.length, 200), %2$s);"
                .formatted(s.name(), Values.of(u, element(s.type())));
        return "try { if (%s != null) { %s } } catch (ArrayStoreException e) { acc += 29; }".formatted(s.name(), fill);
    }

    private static String nested(Universe u) {
        Slot s = u.slot(x -> isArray(x.type()) && isArray(element(x.type())));
        String row = element(s.type());
        Slot rows = u.slotOf(row);
        String t = u.fresh("t");
        String use = rows == null ? "acc += %s.length;".formatted(t) : "%s = %s;".formatted(rows.name(), t);
        return """
                if (%1$s != null && %1$s.length > 1) {
                    if (%1$s[1] == null) { %1$s[1] = %2$s; }
                    %3$s %4$s = %1$s[1];
                    if (%4$s != null) { %5$s }
                    %1$s[0] = %1$s[1];
                }""".formatted(s.name(), Values.fresh(u, row), row, t, use);
    }

    /** An array whose element type is a subclass of the slot's. */
    private static String covariant(Universe u) {
        Slot s = u.array(false);
        String e = element(s.type());
        var sub = u.classOf(c -> u.assignable(c.name(), e));
        return sub == null ? null : "%s = new %s[%d];".formatted(s.name(), sub.name(), u.size(60));
    }
}
