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
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.Slot;

/** Classes that are loaded and unloaded, lambdas, proxies, exceptions, serialisation. */
final class ClassFeatures {
    private ClassFeatures() {}

    static List<Feature> all() {
        return List.of(
                cold("loaded class", 3, u -> plugin(u, "Loaders.loaded(Plug.class)")),
                cold("hidden class", 3, u -> plugin(u, "Loaders.hidden(MethodHandles.lookup(), Plug.class)")),
                cold("array of a loaded class", 1, ClassFeatures::pluginArray),
                hot("call a plugin", 3, u -> on(u, "Plugin", "acc += %1$s.poke(acc & 7); " + u.slotOf("Object").name() + " = %1$s.get();")),
                hot("lambda", 4, ClassFeatures::lambda),
                hot("call a lambda", 4, u -> on(u, "Fn", "acc += %1$s.apply(acc & 63);")),
                hot("exception", 3, ClassFeatures::exception),
                hot("implicit exception", 2, ClassFeatures::implicit),
                cold("keep an exception", 3, ClassFeatures::keep),
                cold("ask an exception", 2, ClassFeatures::ask),
                cold("proxy", 2, ClassFeatures::proxy),
                cold("serialise", 4, ClassFeatures::roundTrip),
                cold("serialise what just moved", 3, ClassFeatures::roundTripMoved),
                cold("class as a value", 1, u -> u.slotOf("Object").name() + " = " + u.oneOf(u.classes).name() + ".class;"));
    }

    private static String on(Universe u, String type, String code) {
        Slot s = u.slotOf(type);
        return ("if (%1$s != null) { " + code + " }").formatted(s.name());
    }

    private static String plugin(Universe u, String expression) {
        return "%s = %s;\n%1$s.set(%s);".formatted(u.slotOf("Plugin").name(), expression, u.reference().name());
    }

    private static String pluginArray(Universe u) {
        return """
                {
                    Plugin one = Loaders.loaded(Plug.class);
                    Object[] some = (Object[]) java.lang.reflect.Array.newInstance(one.getClass(), 9);
                    some[3] = one;
                    one.set(some);
                    %s = some;
                }""".formatted(u.slotOf("Object").name());
    }

    /** Captures values, never the program itself: a group that contains it would take everything along. */
    private static String lambda(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        Slot other = u.slot(x -> u.classNamed(x.type()) != null || x.type().equals("String") || x.type().endsWith("[]"));
        String a = u.fresh("t");
        String b = u.fresh("t");
        return "{ %s %s = %s; %s %s = %s; %s = x -> (%2$s == null ? 5 : %2$s.poke(x)) + (%5$s == null ? 1 : 2); }"
                .formatted(s.type(), a, s.name(), other.type(), b, other.name(), u.slotOf("Fn").name());
    }

    private static String exception(Universe u) {
        return """
                try {
                    if ((acc & 15) == %d) { throw new IllegalStateException("thrown"); }
                    acc += 2;
                } catch (IllegalStateException e) {
                    %s = e;
                    acc += e.getMessage().length();
                }""".formatted(u.random.nextInt(16), u.slotOf("Throwable").name());
    }

    private static String implicit(Universe u) {
        Slot s = u.slotOf("int[]");
        String code = switch (u.random.nextInt(3)) {
            case 0 -> "if ((acc & 31) == 3) { acc += %1$s[-1]; }";
            case 1 -> "acc += 7 / (acc & 31);";
            default -> "if ((acc & 31) == 9) { acc += ((String) (Object) %1$s).length(); }";
        };
        return ("try { " + code + " } catch (RuntimeException e) { acc += e.getStackTrace().length > 0 ? 3 : 4; }").formatted(s.name());
    }

    /** With a cause, frames of several methods, and a suppressed one. */
    private static String keep(Universe u) {
        return """
                try {
                    ((Fn) x -> { throw new UnsupportedOperationException("kept"); }).apply(1);
                } catch (UnsupportedOperationException e) {
                    Throwable t = new RuntimeException(e);
                    t.addSuppressed(%1$s == null ? e : new Error("s"));
                    %1$s = t;
                }""".formatted(u.slotOf("Throwable").name());
    }

    private static String ask(Universe u) {
        return on(u, "Throwable", "f.trace(\"frames of the program\", Arrays.stream(%1$s.getStackTrace())"
                + ".filter(e -> e.getClassName().startsWith(\"fuzzed.\")).count());");
    }

    private static String proxy(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        String t = u.fresh("t");
        return """
                {
                    %1$s %2$s = %3$s;
                    %4$s = (Fn) java.lang.reflect.Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Fn.class},
                            (proxy, method, args) -> %2$s == null ? 3L : %2$s.poke((Long) args[0]));
                    acc += %4$s.apply(5);
                }""".formatted(s.type(), t, s.name(), u.slotOf("Fn").name());
    }

    private static String roundTrip(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null || x.type().endsWith("[]") && u.oneIn(2));
        return "%s = (%s) f.roundTrip(%1$s);".formatted(s.name(), s.type());
    }

    /**
     * A graph that is small enough to be serialised, with a cycle, or one that is there already. The copy may move too.
     */
    private static String roundTripMoved(Universe u) {
        Slot s = u.cell();
        if (s == null) {
            return null;
        }
        ClassDef c = u.classNamed(s.type());
        String made = u.oneIn(3) ? "" : """
                %1$s = new %2$s(3);
                %1$s.%3$s = new %2$s(5);
                %1$s.%4$s = new Object[] {%1$s, "with" + acc, new long[] {acc, 7}, %1$s.%3$s};
                """.formatted(s.name(), c.name(), GraphFeatures.next(c), GraphFeatures.any(c));
        return """
                %1$sf.tag(%2$s, %3$d);
                H2.moveNow(%3$d);
                %2$s = (%4$s) f.roundTrip(%2$s);%5$s""".formatted(made, s.name(), u.label(), c.name(),
                u.oneIn(2) ? "" : "\nf.tag(%s, %d);".formatted(s.name(), u.label()));
    }
}
