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

/**
 * A field of the program itself: a variable of the statements, or a constant that they need.
 *
 * @param modifiers such as {@code "static final "}, or empty
 * @param initial an expression, or null
 */
public record Slot(String modifiers, String type, String name, String initial) {

    /** A variable. */
    public static Slot variable(String type, String name, boolean isStatic) {
        return new Slot(isStatic ? "static " : "", type, name, null);
    }

    /** A constant of the class. */
    public static Slot constant(String type, String name, String value) {
        return new Slot("static final ", type, name, value);
    }

    public boolean isConstant() {
        return modifiers.contains("final");
    }
}
