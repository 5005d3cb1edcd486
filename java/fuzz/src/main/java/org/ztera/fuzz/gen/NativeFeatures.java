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

/** Objects in the hands of native code. */
final class NativeFeatures {
    private NativeFeatures() {}

    static List<Feature> all() {
        return List.of(
                cold("JNI local references", 3, NativeFeatures::local),
                cold("JNI global reference", 3, NativeFeatures::global),
                hot("JNI critical", 2, u -> on(u, "int[]", "if (%1$s.length < 3000) { acc += Natives.addCritically(%1$s, 3); }")),
                cold("JNI critical, long array", 1, u -> on(u, "int[]", "acc += Natives.addCritically(%1$s, 5);")),
                cold("JNI critical and system calls", 2, u -> on(u, "int[]", "acc += Natives.addByKernel(%1$s, 3);")),
                cold("JNI critical and a collection", 3, NativeFeatures::heldArray),
                cold("JNI critical string and a collection", 2, NativeFeatures::heldString, 3000),
                hot("JNI region", 1, u -> on(u, "int[]", "if (%1$s.length < 3000) { acc += Natives.addByRegion(%1$s, 7); }")),
                hot("JNI string", 2, u -> on(u, "String", "acc += Natives.hashCritically(%1$s); %1$s = Natives.copyOf(%1$s);")),
                cold("JNI reverse", 2, u -> on(u, "Object[]", "try { Natives.reverse(%1$s); } catch (ArrayStoreException e) { acc += 37; }")),
                cold("JNI monitor", 2, NativeFeatures::monitor),
                cold("JNI sameness", 2, NativeFeatures::same));
    }

    private static String on(Universe u, String type, String code) {
        Slot s = u.slotOf(type);
        return ("if (%1$s != null) { " + code + " }").formatted(s.name());
    }

    private static String collect(Universe u) {
        return u.oneIn(2) ? "f.gc()" : u.oneIn(2) ? "H2.moveNow(" + u.label() + ")" : "f.garbage(9000)";
    }

    /** While the code runs, only native local references hold the objects. */
    private static String local(Universe u) {
        Slot a = u.reference();
        Slot b = u.slotFor(a.type());
        return """
                {
                    Object[] held = {%1$s, %2$s, new int[] {5, 6}, "local" + acc};
                    %1$s = null;
                    Natives.holdLocally(held, () -> %3$s);
                    %1$s = (%4$s) held[0];
                    acc += ((int[]) held[2])[1] + ((String) held[3]).length();
                }""".formatted(a.name(), b.name(), collect(u), a.type());
    }

    private static String global(Universe u) {
        Slot a = u.reference();
        return """
                {
                    long handle = Natives.newGlobal(%1$s);
                    %1$s = null;
                    %2$s;
                    %1$s = (%3$s) Natives.takeGlobal(handle);
                }""".formatted(a.name(), collect(u), a.type());
    }

    /** It moves by the collection that is asked for while it is held, or has moved before, or never. */
    private static String heldArray(Universe u) {
        Slot s = u.slotOf("int[]");
        int label = u.label();
        String before = u.oneIn(3) ? "" : "f.tag(%s, %d); ".formatted(s.name(), label) + (u.oneIn(2) ? "H2.moveNow(" + label + "); " : "");
        String during = u.oneIn(2) ? "H2.moveNow(" + label + ")" : collect(u);
        return "if (%s != null) { %sacc += Critical.add(%1$s, 3, () -> %s); }".formatted(s.name(), before, during);
    }

    /** Half of the strings are not Latin-1: only of those does native code have the characters themselves. */
    private static String heldString(Universe u) {
        Slot s = u.slotOf("String");
        int label = u.label();
        return """
                %1$s = Fuzz.text(@0, %2$d);
                f.tag(%1$s, %3$d);%4$s
                acc += Critical.hash(%1$s, () -> H2.moveNow(%3$d));""".formatted(s.name(), u.random.nextInt(20) * 2, label,
                u.oneIn(2) ? "\nH2.moveNow(" + label + ");" : "");
    }

    private static String monitor(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        return "if (%s != null) { Natives.locked(%1$s, () -> %s); synchronized (%1$s) { acc += 3; } }".formatted(s.name(), collect(u));
    }

    private static String same(Universe u) {
        Slot a = u.slot(s -> u.classNamed(s.type()) != null);
        Slot b = u.slotFor(a.type());
        return "f.check(Natives.same(%s, %s) == (%1$s == %2$s), \"IsSameObject\");".formatted(a.name(), b.name());
    }
}
