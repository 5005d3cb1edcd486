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
import java.util.stream.Stream;
import org.ztera.fuzz.program.Method;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Stmt;
import org.ztera.fuzz.program.Types;

/** Makes the program of a seed: always the same for the same seed and the same version of the fuzzer. */
public final class Generator {
    private static final List<Feature> ALL = Stream.of(FieldFeatures.all(), ArrayFeatures.all(), StringFeatures.all(),
            CollectionFeatures.all(), HandleFeatures.all(), GroupFeatures.all(), GraphFeatures.all(), WatchFeatures.all(),
            ThreadFeatures.all(), ClassFeatures.all(), NativeFeatures.all(), UseFeatures.all()).flatMap(List::stream).toList();
    private static final List<Feature> HOT = ALL.stream().filter(Feature::hot).toList();
    private static final List<Feature> GRAPHS = GraphFeatures.all();
    private static final List<Feature> GROUPS = GroupFeatures.tags();
    private static final List<Feature> USES = UseFeatures.all();
    private static final List<Feature> COLD = ALL.stream().filter(f -> !f.hot()).toList();

    private final Universe u;
    private final List<Method> methods = new ArrayList<>();

    private Generator(long seed) {
        u = new Universe(new SplittableRandom(seed));
    }

    public static Program program(long seed) {
        Generator g = new Generator(seed);
        new Declarations(g.u).make();
        for (int i = g.u.random.nextInt(2, 5); i > 0; i--) {
            g.methods.addFirst(new Method("m" + i, g.methodBody()));
        }
        List<Stmt> main = g.main();
        return new Program("P" + Long.toUnsignedString(seed, 36), seed, List.copyOf(g.u.classes), List.copyOf(g.u.slots),
                List.copyOf(g.methods), main);
    }

    /** The names of all features. */
    public static List<String> features() {
        return ALL.stream().map(Feature::name).toList();
    }

    private Stmt draw(List<Feature> from) {
        int total = from.stream().mapToInt(Feature::weight).sum();
        while (true) {
            int at = u.random.nextInt(total);
            for (Feature f : from) {
                at -= f.weight();
                if (at < 0) {
                    Stmt s = f.make(u);
                    if (s != null) {
                        return s;
                    }
                    break;
                }
            }
        }
    }

    private List<Stmt> hot(int count) {
        List<Stmt> stmts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stmts.add(draw(HOT));
        }
        return stmts;
    }

    /** Cheap statements, some in conditions and short loops; now and then a call of a method further down. */
    private List<Stmt> methodBody() {
        List<Stmt> stmts = new ArrayList<>();
        for (int i = u.random.nextInt(4, 14); i > 0; i--) {
            switch (u.random.nextInt(12)) {
                case 0 -> stmts.add(Stmt.block("if", "if ((acc >>> 7 & 3) == " + u.random.nextInt(4) + ")", "",
                        hot(u.random.nextInt(1, 4))));
                case 1 -> stmts.add(loop(hot(u.random.nextInt(1, 4)), 4));
                case 2 -> stmts.add(methods.isEmpty() ? draw(HOT) : Stmt.of("call", u.oneOf(methods).name() + "(n + 1);"));
                default -> stmts.add(draw(HOT));
            }
        }
        return stmts;
    }

    private Stmt loop(List<Stmt> body, int most) {
        String i = u.fresh("i");
        return Stmt.block("loop", "for (int %s = 0; %1$s < @0; %1$s++)".formatted(i), "", body, u.random.nextInt(1, most + 1));
    }

    private Stmt callOften() {
        String i = u.fresh("i");
        return Stmt.of("call often", "for (int %s = 0; %1$s < @0; %1$s++) { %s(%1$s); }".formatted(i, u.oneOf(methods).name()), u.size(400));
    }

    private List<Stmt> main() {
        List<Stmt> stmts = new ArrayList<>();
        for (Slot s : List.copyOf(u.slots)) {
            if (!s.isConstant() && !Types.isPrimitive(s.type()) && !u.oneIn(6)) {
                stmts.add(Stmt.of("slot", s.name() + " = " + Values.fresh(u, s.type()) + ";"));
            }
        }
        for (int i = u.random.nextInt(1, 5); i > 0; i--) {
            stmts.add(draw(GRAPHS));
        }
        stmts.add(draw(GROUPS));
        for (int i = u.random.nextInt(10, 35); i > 0; i--) {
            stmts.add(mainStatement());
        }
        return stmts;
    }

    private Stmt mainStatement() {
        return switch (u.random.nextInt(16)) {
            case 0, 1 -> callOften();
            case 2 -> draw(HOT);
            case 3 -> {
                List<Stmt> body = hot(u.random.nextInt(1, 3));
                body.add(draw(COLD));
                yield loop(body, 3);
            }
            case 4, 5, 6, 7 -> draw(USES);
            default -> draw(COLD);
        };
    }
}
