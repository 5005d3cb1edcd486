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

/** Prints a program as Java source that a person can read. */
public final class Emitter {
    private static final String HEAD = """
            package fuzzed;

            import java.lang.invoke.*;
            import java.lang.ref.*;
            import java.nio.ByteBuffer;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.concurrent.atomic.*;
            import java.util.function.*;
            import org.ztera.H2;
            import org.ztera.fuzz.rt.*;
            import org.ztera.kit.uses.Stranger;
            import org.ztera.kit.uses.Use;
            import sun.misc.Unsafe;
            """;

    private static final String PLUG = """

            /** Defined again for each object. */
            public static class Plug implements Plugin {
                static int made;
                Object value;
                long number = 3;

                public Plug() {
                    made++;
                }

                @Override
                public Object get() {
                    return value;
                }

                @Override
                public void set(Object o) {
                    value = o;
                    number = number * 5 + 1;
                }

                @Override
                public void visit(Walk w) {
                    w.n(number);
                    w.n(made);
                    w.ref(value);
                }

                @Override
                public long poke(long x) {
                    return x * number + made;
                }
            }
            """;

    private Emitter() {}

    public static String emit(Program p) {
        Source out = new Source();
        HEAD.lines().forEach(out::line);
        out.line("");
        out.line("/** Seed " + p.seed() + ". */");
        out.line("@SuppressWarnings(\"all\")");
        out.open("public final class " + p.name() + " implements FuzzProgram");
        out.line("final Fuzz f = Fuzz.current();");
        out.line("long acc = 1;");
        for (Slot s : p.slots()) {
            out.line(s.modifiers() + s.type() + " " + s.name() + (s.initial() == null ? "" : " = " + s.initial()) + ";");
        }
        main(out, p);
        for (Method m : p.methods()) {
            out.line("");
            out.open("void " + m.name() + "(int n) throws Exception");
            out.statements(m.body());
            out.close("");
        }
        visit(out, p);
        for (ClassDef c : p.classes()) {
            new ClassEmitter(out, c).emit();
        }
        PLUG.lines().forEach(out::line);
        out.close("");
        return out.toString();
    }

    private static void main(Source out, Program p) {
        out.line("");
        out.line("@Override");
        out.open("public void run() throws Throwable");
        out.statements(p.main());
        out.close("");
    }

    private static void visit(Source out, Program p) {
        out.line("");
        out.line("@Override");
        out.open("public void visit(Walk w)");
        out.line("w.n(acc);");
        for (Slot s : p.slots()) {
            if (!s.isConstant()) {
                out.line((Types.isPrimitive(s.type()) ? "w.n(" : "w.ref(") + s.name() + ");");
            }
        }
        out.close("");
    }
}
