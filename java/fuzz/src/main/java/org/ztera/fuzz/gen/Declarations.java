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
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.ClassDef.Shape;
import org.ztera.fuzz.program.FieldDef;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Types;

/** Draws a universe's classes and slots. */
final class Declarations {
    private final Universe u;
    private final List<String> names = new ArrayList<>();

    Declarations(Universe u) {
        this.u = u;
    }

    void make() {
        int cells = u.random.nextInt(2, 6);
        names(cells, "C", 1, "E", u.random.nextInt(1, 3), "R", u.random.nextInt(1, 3), "I");
        for (String name : List.copyOf(names)) {
            u.classes.add(switch (name.charAt(0)) {
                case 'I' -> new ClassDef(Shape.INTERFACE, name, null, List.of(), List.of(), false);
                case 'E' -> new ClassDef(Shape.ENUM, name, null, interfaces(), fields(3, false), false);
                case 'R' -> new ClassDef(Shape.RECORD, name, null, interfaces(), fields(4, true), false);
                default -> cell(name);
            });
        }
        slots();
    }

    private void names(Object... countsAndLetters) {
        for (int i = 0; i < countsAndLetters.length; i += 2) {
            for (int k = 0; k < (Integer) countsAndLetters[i]; k++) {
                names.add(countsAndLetters[i + 1] + Integer.toString(k));
            }
        }
    }

    private ClassDef cell(String name) {
        ClassDef parent = u.oneIn(2) ? u.classOf(c -> c.shape() == Shape.CLASS) : null;
        boolean first = u.classes.isEmpty();
        String extended = parent != null ? parent.name() : first || !u.oneIn(4) ? "Cell" : null;
        List<FieldDef> fields = fields(u.oneIn(8) ? 20 : 6, false);
        // Each class can be chained and have anything hung on it.
        fields.add(new FieldDef(u.fresh("next"), name, ""));
        fields.add(new FieldDef(u.fresh("any"), "Object", ""));
        boolean named = extended != null && (extended.equals("Cell") || u.isCell(parent));
        return new ClassDef(Shape.CLASS, name, extended, interfaces(), fields, named && u.oneIn(4));
    }

    private List<String> interfaces() {
        return names.stream().filter(n -> n.startsWith("I") && u.oneIn(2)).toList();
    }

    private List<FieldDef> fields(int most, boolean isRecord) {
        List<FieldDef> fields = new ArrayList<>();
        for (int i = u.random.nextInt(1, most + 1); i > 0; i--) {
            String type = u.oneIn(2) ? u.oneOf(Types.PRIMITIVES) : referenceType();
            String modifiers = isRecord ? "" : u.oneIn(8) ? "volatile " : u.oneIn(8) ? "final " : "";
            fields.add(new FieldDef(u.fresh("f"), type, modifiers));
        }
        return fields;
    }

    private String referenceType() {
        return switch (u.random.nextInt(8)) {
            case 0 -> "Object";
            case 1 -> "String";
            case 2 -> u.oneOf(Types.PRIMITIVES) + "[]";
            case 3 -> u.oneOf(names) + "[]";
            default -> u.oneOf(names);
        };
    }

    private void slots() {
        for (String name : names) {
            variables(name, u.random.nextInt(1, 4));
        }
        variables("Object", 3);
        variables("String", 2);
        for (int i = 0; i < 4; i++) {
            variables(u.oneOf(Types.PRIMITIVES) + "[]", 1);
        }
        List.of("int[]", "byte[]", "int[][]", "Object[]", "String[]", u.oneOf(names) + "[]", u.oneOf(names) + "[]",
                u.oneOf(names) + "[][]", "List<Object>", "Map<Object, Object>", "Deque<Object>", "Fn", "Fn", "Throwable",
                "Plugin", "IdentityHashMap<Object, Integer>", "AtomicReference<Object>", "ByteBuffer", "ByteBuffer",
                "byte[]", "int", "long", "double", "boolean")
                .forEach(type -> variables(type, 1));
    }

    private void variables(String type, int count) {
        for (int i = 0; i < count; i++) {
            u.slots.add(Slot.variable(type, u.fresh(Types.word(type) + "_"), u.oneIn(12)));
        }
    }
}
