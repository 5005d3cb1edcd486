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
import java.util.stream.Stream;
import org.ztera.fuzz.program.Slot;
import org.ztera.kit.uses.Use;

/** Memory beside the heap, weak keys, arrays in native code of the JDK and of others, and what that does to signals. */
final class UseFeatures {
    private UseFeatures() {}

    static List<Feature> all() {
        Stream<Feature> copies = Use.copies().stream()
                .map(use -> cold("copy by " + use, 4, u -> copy(u, use), 200_000));
        return Stream.concat(copies, Stream.of(
                cold("thread that blocks SIGBUS", 3, UseFeatures::strangeThread),
                cold("library that takes signals", 2, u -> "Stranger.faults(" + u.random.nextInt(6) + ");"),
                cold("old owners of direct memory", 2, UseFeatures::owners, 16, 400),
                cold("weak keys", 4, u -> "f.uses().weakKeys(20 + @0, %d);\nf.uses().replaceKeys(@1);".formatted(u.label()), 800, 200),
                cold("weak keys that die", 4, u -> "f.uses().replaceKeys(@0);", 600),
                cold("direct buffer", 2, u -> u.slotOf("ByteBuffer").name() + " = OffHeap.make(@0, " + u.random.nextInt(1000) + ");", 32_000),
                cold("view of a direct buffer", 2, UseFeatures::view),
                hot("words of a direct buffer", 3, u -> on(u, "acc += OffHeap.use(%1$s, acc);")),
                hot("direct buffer and array", 2, UseFeatures::exchange))).toList();
    }

    private static String on(Universe u, String code) {
        return ("if (%1$s != null) { " + code + " }").formatted(u.slotOf("ByteBuffer").name());
    }

    /** Often of an array that has just moved. */
    private static String copy(Universe u, Use use) {
        String from = u.slotOf("byte[]").name();
        String move = u.oneIn(3) ? "" : "f.tag(%s, %d);\nH2.moveNow(%2$d);\n".formatted(from, u.label());
        String make = "if (%s == null) { %1$s = (byte[]) Primitives.make(byte.class, @0, %d); }\n".formatted(from, u.random.nextInt(1000));
        return make + move + "f.uses().copy(Use.%s, %s, %s, @0);".formatted(use, from, u.slotOf("byte[]").name());
    }

    private static String view(Universe u) {
        return on(u, u.oneIn(2) ? "%1$s = %1$s.duplicate();" : "%1$s = %1$s.slice(0, %1$s.capacity() - %1$s.capacity() / 4);");
    }

    private static String exchange(Universe u) {
        String array = u.slotOf("byte[]").name();
        return on(u, "if (" + array + " != null) { OffHeap.exchange(%1$s, " + array + ", 4000, " + u.oneIn(2) + "); }");
    }

    private static String strangeThread(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        String between = u.oneIn(2) ? "f.garbage(3000);" : "f.gc();";
        return """
                if (%1$s != null) {
                    f.uses().strangeThread(%2$s, %1$s, () -> {
                        acc += %1$s.poke(3);
                        %3$s
                        acc += %1$s.poke(4);
                    });
                }""".formatted(s.name(), u.oneIn(2), between);
    }

    /** So many that the memory which the JVM may take would not suffice for all. */
    private static String owners(Universe u) {
        return "f.uses().owners(16 + @0, 300 + @1, %d);".formatted(u.label());
    }
}
