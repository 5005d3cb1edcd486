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
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.Slot;

/** Weak, soft, phantom references, cleaners, finalizers, identity hashes. */
final class WatchFeatures {
    private WatchFeatures() {}

    static List<Feature> all() {
        return List.of(
                cold("weak reference", 3, u -> on(u, "weak")),
                cold("soft reference", 2, u -> on(u, "soft")),
                cold("phantom reference", 2, u -> on(u, "phantom")),
                cold("weak map", 2, u -> on(u, "weakMap")),
                cold("JNI weak reference", 2, u -> on(u, "jniWeak")),
                cold("cleaner", 2, u -> on(u, "clean")),
                cold("identity hash", 4, u -> on(u, "hash")),
                cold("watched many", 2, WatchFeatures::many, 200),
                cold("finalizable garbage", 2, WatchFeatures::finalizable, 100),
                cold("reference in the graph", 2, WatchFeatures::inGraph),
                cold("referent of a reference", 2, WatchFeatures::referent));
    }

    private static String on(Universe u, String how) {
        Slot s = u.cell();
        return s == null ? null : "f.%s(%s);".formatted(how, s.name());
    }

    private static String many(Universe u) {
        Slot s = u.cell();
        return s == null ? null : """
                {
                    Object[] all = new Object[@0];
                    for (int i = 0; i < all.length; i++) {
                        %1$s t = new %1$s(i);
                        all[i] = (i & 3) == 0 ? null : t;
                        f.weak(t);
                        f.phantom(t);
                        if ((i & 7) == 1) { f.hash(t); }
                    }
                    %2$s = all;
                }""".formatted(s.type(), u.slotOf("Object").name());
    }

    private static String finalizable(Universe u) {
        ClassDef c = u.classOf(ClassDef::finalizable);
        return c == null ? null : "for (int i = 0; i < @0; i++) { %s t = new %1$s(i); if ((i & 7) == 0) { %s = t; } }"
                .formatted(c.name(), u.slotOf(c.name()).name());
    }

    /** A reference object as part of a group; references themselves stay in the first heap. */
    private static String inGraph(Universe u) {
        Slot s = u.cell();
        return s == null ? null : "%s = new %s<>(%s);".formatted(u.slotOf("Object").name(),
                u.oneIn(2) ? "WeakReference" : "SoftReference", s.name());
    }

    private static String referent(Universe u) {
        Slot s = u.cell();
        return s == null ? null : """
                if (%1$s != null) {
                    WeakReference<Object> weak = new WeakReference<>(%1$s);
                    f.gc();
                    f.check(weak.get() == %1$s, "the referent is reachable");
                }""".formatted(s.name());
    }
}
