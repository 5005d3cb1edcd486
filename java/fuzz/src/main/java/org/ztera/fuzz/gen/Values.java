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

import static org.ztera.fuzz.program.Types.element;
import static org.ztera.fuzz.program.Types.isArray;
import static org.ztera.fuzz.program.Types.isPrimitive;

import java.util.stream.Collectors;
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Types;

/** Expressions of a given type. None throws, whatever the slots contain. */
final class Values {
    private Values() {}

    static String of(Universe u, String type) {
        return of(u, type, 0);
    }

    private static String of(Universe u, String type, int depth) {
        if (isPrimitive(type)) {
            return primitive(u, type);
        }
        Slot slot = u.slotFor(type);
        if (slot != null && (depth > 1 || u.random.nextInt(10) < 6)) {
            return slot.name();
        }
        return depth > 1 || u.oneIn(12) ? "null" : fresh(u, type, depth);
    }

    /** An expression that makes an object. */
    static String fresh(Universe u, String type) {
        return fresh(u, type, 0);
    }

    private static String fresh(Universe u, String type, int depth) {
        if (isArray(type)) {
            return array(u, element(type));
        }
        ClassDef c = u.classNamed(type);
        if (c != null) {
            return instance(u, c, depth);
        }
        return switch (type) {
            case "Object" -> object(u, depth);
            case "String" -> string(u);
            case "List<Object>" -> u.oneIn(3) ? "new LinkedList<>()" : "new ArrayList<>()";
            case "Deque<Object>" -> "new ArrayDeque<>()";
            case "Map<Object, Object>" -> map(u);
            case "IdentityHashMap<Object, Integer>" -> "new IdentityHashMap<>()";
            case "Fn" -> "x -> x * " + u.random.nextInt(3, 99);
            case "Throwable" -> "new IllegalStateException(\"" + u.random.nextInt(1000) + "\")";
            case "AtomicReference<Object>" -> "new AtomicReference<>()";
            case "Plugin" -> "new Plug()";
            case "ByteBuffer" -> "OffHeap.make(" + u.size(2000) + ", " + u.random.nextInt(1000) + ")";
            default -> "null";
        };
    }

    private static String primitive(Universe u, String type) {
        Slot slot = u.oneIn(3) ? u.slotOf(type) : null;
        if (slot != null) {
            return slot.name();
        }
        return Types.fromLong(type, u.oneIn(2) ? "acc" : u.random.nextInt(-1000, 100_000) + "L");
    }

    private static String array(Universe u, String element) {
        if (isPrimitive(element)) {
            return "(" + element + "[]) Primitives.make(" + element + ".class, " + u.size(200) + ", "
                    + u.random.nextInt(1000) + ")";
        }
        String length = Integer.toString(u.size(100));
        int bracket = element.indexOf('[');
        return bracket < 0 ? "new " + element + "[" + length + "]"
                : "new " + element.substring(0, bracket) + "[" + length + "]" + element.substring(bracket);
    }

    private static String instance(Universe u, ClassDef c, int depth) {
        return switch (c.shape()) {
            case CLASS -> "new " + c.name() + "(" + (u.oneIn(2) ? "(int) acc" : u.random.nextInt(1000)) + ")";
            case RECORD -> "new " + c.name() + "(" + c.fields().stream().map(f -> of(u, f.type(), depth + 1))
                    .collect(Collectors.joining(", ")) + ")";
            case ENUM -> c.name() + "." + u.oneOf(ClassDef.CONSTANTS);
            case INTERFACE -> {
                ClassDef implementation = u.classOf(i -> u.assignable(i.name(), c.name()) && i != c);
                yield implementation == null ? "null" : instance(u, implementation, depth);
            }
        };
    }

    private static String object(Universe u, int depth) {
        return switch (u.random.nextInt(7)) {
            case 0 -> "(Object) Long.valueOf(acc)";
            case 1 -> "(Object) Integer.valueOf(" + u.random.nextInt(-300, 300) + ")";
            case 2 -> string(u);
            case 3 -> array(u, u.oneOf(Types.PRIMITIVES));
            case 4 -> "new Object[] {" + of(u, "Object", depth + 1) + ", " + of(u, "String", depth + 1) + "}";
            default -> instance(u, u.oneOf(u.classes), depth + 1);
        };
    }

    private static String string(Universe u) {
        return switch (u.random.nextInt(4)) {
            case 0 -> "\"s" + u.random.nextInt(20) + "\"";
            case 1 -> "(\"n\" + acc)";
            default -> "Fuzz.text(" + u.size(100) + ", " + u.random.nextInt(40) + ")";
        };
    }

    private static String map(Universe u) {
        return switch (u.random.nextInt(4)) {
            case 0 -> "new TreeMap<>()";
            case 1 -> "new LinkedHashMap<>()";
            case 2 -> "new ConcurrentHashMap<>()";
            default -> "new HashMap<>()";
        };
    }
}
