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

/** Strings and boxes. */
final class StringFeatures {
    private StringFeatures() {}

    static List<Feature> all() {
        return List.of(
                hot("concatenation", 4, StringFeatures::concatenate),
                hot("string hash", 3, u -> use(u, "acc += %1$s.hashCode();")),
                hot("substring", 2, u -> use(u, "%1$s = %1$s.substring(%1$s.length() / 3);")),
                hot("string switch", 1, u -> use(u, "acc += switch (%1$s) { case \"s1\" -> 1; case \"s2\" -> 2; default -> %1$s.length(); };")),
                hot("boxes", 3, StringFeatures::box),
                hot("new string", 2, u -> use(u, "%1$s = new String(%1$s.toCharArray());")),
                cold("interning", 3, StringFeatures::intern),
                cold("equal strings", 3, StringFeatures::duplicates, 200),
                cold("big string", 2, u -> u.slotOf("String").name() + " = Fuzz.text(@0, " + u.random.nextInt(50) + ");", 6000));
    }

    private static String use(Universe u, String code) {
        Slot s = u.slotOf("String");
        return ("if (%1$s != null) { " + code + " }").formatted(s.name());
    }

    private static String concatenate(Universe u) {
        Slot s = u.slotOf("String");
        String part = u.oneIn(2) ? "(acc & 1023)" : "\"\\u03b2\"";
        return "%s = %1$s == null || %1$s.length() > 90 ? \"\" : %1$s + %s;".formatted(s.name(), part);
    }

    private static String box(Universe u) {
        Slot s = u.slotOf("Object");
        return "if (%s instanceof Integer t) { acc += t; } else if (%1$s instanceof Long t) { acc ^= t; } else if (%1$s == null) { %1$s = (int) acc; }"
                .formatted(s.name());
    }

    /** The interned string is one, wherever it lies. */
    private static String intern(Universe u) {
        String s = u.slotOf("String").name();
        Slot keep = u.slotOf("Object");
        String text = "(\"in\" + (acc & 3) + \"-" + u.random.nextInt(30) + "\")";
        return """
                %1$s = %2$s.intern();
                f.check(%1$s == new String(%2$s).intern(), "an interned string is one");
                %3$s = %1$s;""".formatted(s, text, keep.name());
    }

    /** Many strings with equal contents: what deduplication looks for. */
    private static String duplicates(Universe u) {
        String t = u.fresh("t");
        return """
                {
                    String[] %1$s = new String[@0];
                    for (int i = 0; i < %1$s.length; i++) {
                        %1$s[i] = new String(Fuzz.text(40, i & 3).toCharArray());
                    }
                    %2$s = %1$s;
                }""".formatted(t, u.slotOf("Object").name());
    }
}
