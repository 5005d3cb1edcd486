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

/**
 * A generated class.
 *
 * @param parent what it extends: another generated class, {@code Cell}, or null
 * @param interfaces generated interfaces
 * @param finalizable has a finalizer that reports the cell dead
 */
public record ClassDef(
        Shape shape, String name, String parent, List<String> interfaces, List<FieldDef> fields, boolean finalizable) {

    /** The kind of the class. */
    public enum Shape { CLASS, RECORD, ENUM, INTERFACE }

    /** The constants of every generated enum. */
    public static final List<String> CONSTANTS = List.of("A", "B", "C", "D");

    public ClassDef withFields(List<FieldDef> fewer) {
        return new ClassDef(shape, name, parent, interfaces, fewer, finalizable);
    }
}
