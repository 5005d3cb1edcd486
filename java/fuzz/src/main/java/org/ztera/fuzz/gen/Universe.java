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

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.ClassDef.Shape;
import org.ztera.fuzz.program.FieldDef;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Types;

/** The classes and slots that a program's statements can use, and random choices among them. */
final class Universe {
    static final int LABELS = 4;

    final SplittableRandom random;
    final List<ClassDef> classes = new ArrayList<>();
    final List<Slot> slots = new ArrayList<>();
    private int names;

    Universe(SplittableRandom random) {
        this.random = random;
    }

    /** A name that is not used yet. */
    String fresh(String prefix) {
        return prefix + names++;
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    int label() {
        return random.nextInt(LABELS);
    }

    /** From 1 to a limit, mostly much less than it. */
    int size(int limit) {
        int most = oneIn(4) ? limit : Math.max(1, limit / 8);
        return random.nextInt(1, most + 1);
    }

    <T> T oneOf(List<T> list) {
        return list.isEmpty() ? null : list.get(random.nextInt(list.size()));
    }

    ClassDef classNamed(String name) {
        return classes.stream().filter(c -> c.name().equals(name)).findFirst().orElse(null);
    }

    ClassDef classOf(Predicate<ClassDef> which) {
        return oneOf(classes.stream().filter(which).toList());
    }

    /** Whether objects of the class have names. */
    boolean isCell(ClassDef c) {
        return c.parent() != null && (c.parent().equals("Cell") || isCell(classNamed(c.parent())));
    }

    /** The class's own fields and those it inherits. */
    List<FieldDef> fields(ClassDef c) {
        List<FieldDef> all = new ArrayList<>(c.fields());
        ClassDef parent = classNamed(c.parent());
        if (parent != null) {
            all.addAll(fields(parent));
        }
        return all;
    }

    boolean assignable(String from, String to) {
        if (from.equals(to) || to.equals("Object") && !Types.isPrimitive(from)) {
            return true;
        }
        ClassDef c = classNamed(from);
        return c != null && (c.interfaces().contains(to) || c.parent() != null && assignable(c.parent(), to));
    }

    /** A variable slot, or null. */
    Slot slot(Predicate<Slot> which) {
        return oneOf(slots.stream().filter(s -> !s.isConstant()).filter(which).toList());
    }

    /** A slot that can be assigned to a variable of the type. */
    Slot slotFor(String type) {
        return slot(s -> assignable(s.type(), type));
    }

    Slot slotOf(String type) {
        return slot(s -> s.type().equals(type));
    }

    /** A slot whose objects have fields and named copies. */
    Slot cell() {
        return slot(s -> classNamed(s.type()) != null && isCell(classNamed(s.type())));
    }

    Slot reference() {
        return slot(s -> !Types.isPrimitive(s.type()));
    }

    Slot array(boolean ofPrimitives) {
        return slot(s -> Types.isArray(s.type()) && Types.isPrimitive(Types.element(s.type())) == ofPrimitives);
    }

    /** A slot of a class, and a field that its objects have. */
    record Place(Slot slot, FieldDef field) {
        String text() {
            return slot.name() + "." + field.name();
        }
    }

    /** A field that can be read. */
    Place place(Predicate<FieldDef> which) {
        List<Place> all = new ArrayList<>();
        for (Slot s : slots) {
            ClassDef c = classNamed(s.type());
            if (c != null && c.shape() != Shape.RECORD && c.shape() != Shape.INTERFACE) {
                fields(c).stream().filter(which).forEach(f -> all.add(new Place(s, f)));
            }
        }
        return oneOf(all);
    }

    /** A field that can be written. */
    Place writable(Predicate<FieldDef> which) {
        return place(f -> !f.isFinal() && which.test(f));
    }

    /** The class in whose declaration a field of a place's class is. */
    ClassDef owner(Place p) {
        ClassDef c = classNamed(p.slot().type());
        while (!c.fields().contains(p.field())) {
            c = classNamed(c.parent());
        }
        return c;
    }

    /** A constant of the program, declared when it is first asked for. */
    String constant(String type, String name, String value) {
        if (slots.stream().noneMatch(s -> s.name().equals(name))) {
            slots.add(Slot.constant(type, name, value));
        }
        return name;
    }
}
