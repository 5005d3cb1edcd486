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
package org.ztera.fuzz.program;

import java.util.List;

/** Names of types. */
public final class Types {
    public static final List<String> PRIMITIVES =
            List.of("int", "long", "byte", "double", "char", "short", "float", "boolean");

    private Types() {}

    public static boolean isPrimitive(String type) {
        return PRIMITIVES.contains(type);
    }

    public static boolean isArray(String type) {
        return type.endsWith("[]");
    }

    /** Of {@code int[][]}, {@code int[]}. */
    public static String element(String array) {
        return array.substring(0, array.length() - 2);
    }

    /** A word of identifiers for a type: {@code longs} for {@code long[]}. */
    public static String word(String type) {
        if (isArray(type)) {
            return word(element(type)) + "s";
        }
        String plain = type.contains("<") ? type.substring(0, type.indexOf('<')) : type;
        return Character.toLowerCase(plain.charAt(0)) + plain.substring(1);
    }

    /** An expression of a primitive type made from one of type long. */
    public static String fromLong(String type, String expression) {
        return switch (type) {
            case "long" -> expression;
            case "boolean" -> "((" + expression + " & 1) == 0)";
            default -> "(" + type + ") (" + expression + ")";
        };
    }

    /** An expression of type long made from one of a primitive type. */
    public static String toLong(String type, String expression) {
        return switch (type) {
            case "boolean" -> "(" + expression + " ? 1 : 2)";
            case "float" -> "Float.floatToIntBits(" + expression + ")";
            case "double" -> "Double.doubleToLongBits(" + expression + ")";
            default -> expression;
        };
    }
}
