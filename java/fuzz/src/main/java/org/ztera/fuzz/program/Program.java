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
 * A program: one Java class with nested classes.
 *
 * @param name of its class, in package {@code fuzzed}
 * @param seed what it was made from
 * @param main what its run does
 */
public record Program(
        String name, long seed, List<ClassDef> classes, List<Slot> slots, List<Method> methods, List<Stmt> main) {

    public Program withClasses(List<ClassDef> other) {
        return new Program(name, seed, List.copyOf(other), slots, methods, main);
    }

    public Program withSlots(List<Slot> other) {
        return new Program(name, seed, classes, List.copyOf(other), methods, main);
    }

    public Program withMethods(List<Method> other) {
        return new Program(name, seed, classes, slots, List.copyOf(other), main);
    }

    public Program withMain(List<Stmt> other) {
        return new Program(name, seed, classes, slots, methods, List.copyOf(other));
    }

    /** Its class's whole name. */
    public String className() {
        return "fuzzed." + name;
    }

    public int statements() {
        return Stmt.count(main) + methods.stream().mapToInt(m -> Stmt.count(m.body())).sum();
    }
}
