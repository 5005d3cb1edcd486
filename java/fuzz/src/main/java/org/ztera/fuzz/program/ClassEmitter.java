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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ztera.fuzz.program.ClassDef.Shape;

/** Prints one generated class. */
final class ClassEmitter {
    private final Source out;
    private final ClassDef c;

    ClassEmitter(Source out, ClassDef c) {
        this.out = out;
        this.c = c;
    }

    void emit() {
        out.line("");
        switch (c.shape()) {
            case INTERFACE -> {
                out.open("interface " + c.name() + " extends Node");
                out.open("default long mix" + c.name() + "(long x)");
                out.line("return poke(x) ^ x << 3;");
                out.close("");
            }
            case RECORD -> {
                out.open("record " + c.name() + "(" + components() + ")" + implement());
                visit();
                poke();
            }
            case ENUM -> {
                out.open("enum " + c.name() + implement());
                constants();
                fields();
                visit();
                poke();
            }
            case CLASS -> {
                out.open("static class " + c.name() + (c.parent() == null ? "" : " extends " + c.parent()) + implement());
                fields();
                visit();
                poke();
                finalizer();
            }
        }
        out.close("");
    }

    private String implement() {
        List<String> all = new ArrayList<>(c.interfaces());
        if (c.parent() == null) {
            all.add("Node");
            if (c.shape() != Shape.ENUM) {
                all.add("java.io.Serializable");
            }
        }
        return all.isEmpty() ? "" : " implements " + String.join(", ", all);
    }

    private String components() {
        return c.fields().stream().map(f -> f.type() + " " + f.name()).collect(Collectors.joining(", "));
    }

    private void constants() {
        List<String> constants = new ArrayList<>();
        for (String name : ClassDef.CONSTANTS) {
            constants.add(name + "(" + (constants.size() * 7 + 1) + ")");
        }
        out.line(String.join(", ", constants) + ";");
        out.line("");
    }

    private void fields() {
        for (FieldDef f : c.fields()) {
            out.line(f.modifiers() + f.type() + " " + f.name() + ";");
        }
        out.line("");
        out.open(c.name() + "(int k)");
        if (hasGeneratedParent()) {
            out.line("super(k + 1);");
        }
        int factor = 3;
        for (FieldDef f : c.fields()) {
            if (f.isPrimitive()) {
                out.line(f.name() + " = " + Types.fromLong(f.type(), "k * " + factor + "L") + ";");
                factor += 4;
            } else if (f.isFinal()) {
                out.line(f.name() + " = " + (f.type().equals("Object") ? "(k & 1) == 0 ? null : new int[k & 15]" : "null") + ";");
            }
        }
        out.close("");
    }

    private boolean hasGeneratedParent() {
        return c.parent() != null && !c.parent().equals("Cell");
    }

    private void visit() {
        out.line("");
        out.line("@Override");
        out.open("public void visit(Walk w)");
        if (c.parent() != null) {
            out.line("super.visit(w);");
        }
        for (FieldDef f : c.fields()) {
            out.line((f.isPrimitive() ? "w.n(" : "w.ref(") + f.name() + ");");
        }
        out.close("");
    }

    private void poke() {
        out.line("");
        out.line("@Override");
        out.open("public long poke(long x)");
        StringBuilder sum = new StringBuilder(hasGeneratedParent() ? "super.poke(x)" : "x");
        for (FieldDef f : c.fields()) {
            if (f.isPrimitive()) {
                sum.append(" * 31 + ").append(Types.toLong(f.type(), f.name()));
            }
        }
        out.line("return " + sum + ";");
        out.close("");
    }

    private void finalizer() {
        if (c.finalizable()) {
            out.line("");
            out.line("@Override");
            out.open("protected void finalize()");
            out.line("Fuzz.finalized(this);");
            out.close("");
        }
    }
}
