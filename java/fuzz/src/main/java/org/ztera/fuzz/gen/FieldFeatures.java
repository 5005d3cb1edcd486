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

import java.util.List;
import org.ztera.fuzz.gen.Universe.Place;
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.ClassDef.Shape;
import org.ztera.fuzz.program.FieldDef;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Types;

/** Objects made, their fields read and written, types asked for, virtual calls. */
final class FieldFeatures {
    private FieldFeatures() {}

    static List<Feature> all() {
        return List.of(
                hot("allocate", 8, FieldFeatures::allocate),
                hot("field write", 10, FieldFeatures::write),
                hot("field read", 6, FieldFeatures::read),
                hot("primitive field", 6, FieldFeatures::primitive),
                hot("virtual call", 5, FieldFeatures::poke),
                hot("interface call", 3, FieldFeatures::mix),
                hot("chain", 5, FieldFeatures::chain),
                hot("follow a chain", 4, FieldFeatures::follow),
                hot("swap", 4, FieldFeatures::swap),
                hot("temporary object", 3, FieldFeatures::temporary),
                hot("type test", 4, FieldFeatures::typeTest),
                hot("record pattern", 3, FieldFeatures::pattern),
                hot("identity comparison", 3, FieldFeatures::same),
                hot("enum", 2, FieldFeatures::enumeration),
                hot("clone", 3, FieldFeatures::copy),
                hot("monitor", 3, FieldFeatures::monitor),
                hot("drop one", 2, u -> u.reference().name() + " = null;"));
    }

    private static String allocate(Universe u) {
        Slot s = u.reference();
        return s.name() + " = " + Values.fresh(u, s.type()) + ";";
    }

    private static String write(Universe u) {
        Place p = u.writable(f -> !f.isPrimitive());
        return p == null ? null : "if (%s != null) { %s = %s; }".formatted(p.slot().name(), p.text(), Values.of(u, p.field().type()));
    }

    private static String read(Universe u) {
        Place p = u.place(f -> !f.isPrimitive());
        Slot to = p == null ? null : u.slot(s -> u.assignable(p.field().type(), s.type()));
        return to == null ? null : "if (%s != null) { %s = %s; }".formatted(p.slot().name(), to.name(), p.text());
    }

    private static String primitive(Universe u) {
        Place p = u.writable(FieldDef::isPrimitive);
        return p == null ? null : "if (%s != null) { acc = acc * 31 + %s; %s = %s; }".formatted(p.slot().name(),
                Types.toLong(p.field().type(), p.text()), p.text(), Types.fromLong(p.field().type(), "acc >>> 3"));
    }

    private static String poke(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        return "if (%s != null) { acc += %1$s.poke(acc & 255); }".formatted(s.name());
    }

    private static String mix(Universe u) {
        ClassDef i = u.classOf(c -> c.shape() == Shape.INTERFACE);
        Slot s = u.slotFor(i.name());
        return s == null ? null : "if (%s != null) { acc ^= %1$s.mix%s(acc & 255); }".formatted(s.name(), i.name());
    }

    /** The field that every generated class has for its own type. */
    private static FieldDef next(ClassDef c) {
        return c.fields().stream().filter(f -> f.type().equals(c.name()) && !f.isFinal()).findFirst().orElse(null);
    }

    private static Slot linked(Universe u) {
        return u.slot(s -> u.classNamed(s.type()) != null && next(u.classNamed(s.type())) != null
                && u.classNamed(s.type()).shape() == Shape.CLASS);
    }

    /** Cut now and then, so that it does not grow without bound. */
    private static String chain(Universe u) {
        Slot s = linked(u);
        String c = s.type();
        String t = u.fresh("t");
        return "{ %s %s = new %1$s((int) acc); %2$s.%s = (acc & 255) == 7 ? null : %s; %4$s = %2$s; acc += 3; }"
                .formatted(c, t, next(u.classNamed(c)).name(), s.name());
    }

    private static String follow(Universe u) {
        Slot s = linked(u);
        String t = u.fresh("t");
        String i = u.fresh("i");
        return """
                { int %1$s = 0; for (%2$s %3$s = %4$s; %3$s != null && %1$s < 40; %3$s = %3$s.%5$s) {
                    acc += %3$s.poke(%1$s++);
                } }""".formatted(i, s.type(), t, s.name(), next(u.classNamed(s.type())).name());
    }

    private static String swap(Universe u) {
        Slot a = u.reference();
        Slot b = u.slotOf(a.type());
        String t = u.fresh("t");
        return "{ %s %s = %s; %3$s = %4$s; %4$s = %2$s; }".formatted(a.type(), t, a.name(), b.name());
    }

    /** Does not escape: a compiler may not allocate it at all, or anew when it deoptimises. */
    private static String temporary(Universe u) {
        ClassDef c = u.classOf(x -> x.shape() == Shape.CLASS);
        FieldDef f = u.oneOf(c.fields().stream().filter(x -> !x.isPrimitive() && !x.isFinal()).toList());
        String t = u.fresh("t");
        Slot keep = u.slotFor(c.name());
        String escape = keep == null || !keep.type().equals(c.name()) ? "" : "if ((acc & 63) == 5) { %s = %s; } ".formatted(keep.name(), t);
        return f == null ? null : "{ %s %s = new %1$s((int) acc); %2$s.%s = %s; acc += %2$s.poke(5); %sacc += %2$s.%3$s == null ? 1 : 2; }"
                .formatted(c.name(), t, f.name(), Values.of(u, f.type()), escape);
    }

    private static String typeTest(Universe u) {
        ClassDef c = u.oneOf(u.classes);
        Slot s = u.slotOf("Object");
        Slot to = u.slotOf(c.name());
        String t = u.fresh("t");
        return "if (%s instanceof %s %s) { acc += %3$s.poke(7); %s = %3$s; }".formatted(s.name(), c.name(), t, to.name());
    }

    private static String pattern(Universe u) {
        ClassDef r = u.classOf(c -> c.shape() == Shape.RECORD);
        Slot s = u.slotOf("Object");
        StringBuilder names = new StringBuilder();
        StringBuilder sum = new StringBuilder("acc += 1");
        for (FieldDef f : r.fields()) {
            String t = u.fresh("t");
            names.append(names.isEmpty() ? "var " : ", var ").append(t);
            sum.append(" + ").append(f.isPrimitive() ? Types.toLong(f.type(), t) : "(" + t + " == null ? 3 : 4)");
        }
        return "%s = %s;\nif (%1$s instanceof %s(%s)) { %s; }".formatted(s.name(), Values.of(u, r.name()), r.name(), names, sum);
    }

    private static String same(Universe u) {
        Slot a = u.slot(s -> u.classNamed(s.type()) != null);
        Slot b = u.slotFor(a.type());
        Place p = u.place(f -> f.type().equals(a.type()));
        String other = p == null || u.oneIn(2) ? b.name() : p.slot().name() + " == null ? null : " + p.text();
        return "acc = acc * 3 + (%s == (%s) ? 1 : 2);".formatted(a.name(), other);
    }

    private static String enumeration(Universe u) {
        ClassDef e = u.classOf(c -> c.shape() == Shape.ENUM);
        Slot s = u.slotOf(e.name());
        return """
                %1$s = %2$s.values()[(int) (acc & 3)];
                acc += switch (%1$s) { case A -> 5; case B -> %1$s.poke(1); case C -> %1$s.ordinal(); default -> 9; };"""
                .formatted(s.name(), e.name());
    }

    private static String copy(Universe u) {
        Slot s = u.cell();
        return s == null ? null : "if (%s != null) { %1$s = (%s) %1$s.copy(); }".formatted(s.name(), s.type());
    }

    private static String monitor(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null || x.type().equals("Object"));
        // Boxes and values are not locked: they may be shared by all programs.
        return "if (%s instanceof Node) { synchronized (%1$s) { acc += 11; } }".formatted(s.name());
    }
}
