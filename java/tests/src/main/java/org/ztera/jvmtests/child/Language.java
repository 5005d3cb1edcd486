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
package org.ztera.jvmtests.child;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/** Objects of every kind the language has, in H2: records, enums, lambdas, anonymous, sealed, generic, thrown. */
public final class Language {
    private static final int N = 300;

    private enum Color { RED, GREEN, BLUE }

    private sealed interface Shape extends Serializable permits Circle, Box {}

    private record Circle(long radius, String name) implements Shape {}

    private record Box(long width, long height, List<Long> marks) implements Shape {}

    /** Everything in one serialisable group. */
    private static final class Group implements Serializable {
        private static final long serialVersionUID = 1;

        final ArrayList<Shape> shapes = new ArrayList<>();
        final EnumMap<Color, Long> byColor = new EnumMap<>(Color.class);
        final Color color = Color.GREEN;
        transient List<LongUnaryOperator> lambdas = new ArrayList<>();
        transient LongSupplier anonymous;
        transient Throwable thrown;
        transient Optional<String> optional = Optional.of("present");
    }

    private static Group group;

    private Language() {}

    public static void main(String[] args) {
        Child.main(Language::test);
    }

    private static void test() throws Exception {
        group = build();
        Child.move(group, 1);
        for (int i = 0; i < 3; i++) {
            check(group);
            lambdas();
            thrown();
            Child.youngGcs(1);
            Child.fullGc();
        }
        serialization();
    }

    private static Group build() {
        Group g = new Group();
        for (long i = 0; i < N; i++) {
            long captured = i;
            g.shapes.add(i % 2 == 0 ? new Circle(i, "circle " + i) : new Box(i, i + 1, List.of(i, i * 1000)));
            g.lambdas.add(x -> x + captured);
        }
        for (Color c : Color.values()) {
            g.byColor.put(c, 1000L + c.ordinal());
        }
        g.anonymous = new LongSupplier() {
            @Override
            public long getAsLong() {
                return g.shapes.size();
            }
        };
        g.thrown = new IllegalStateException("thrown later", new RuntimeException("cause"));
        return g;
    }

    private static void check(Group g) {
        long i = 0;
        for (Shape s : g.shapes) {
            long n = switch (s) {
                case Circle(long radius, String name) -> {
                    Child.equal("circle " + radius, name, "name");
                    yield radius;
                }
                case Box(long width, long height, List<Long> marks) -> {
                    Child.equal(List.of(width, width * 1000), marks, "marks");
                    Child.equal(width + 1, height, "height");
                    yield width;
                }
            };
            Child.equal(i++, n, "shape");
        }
        Child.equal((long) N, i, "shapes");
        Child.equal(new Circle(4, "circle 4"), g.shapes.get(4), "record equality");
        Child.equal(new Circle(4, "circle 4").hashCode(), g.shapes.get(4).hashCode(), "record hash");
        Child.check(g.color == Color.valueOf("GREEN"), "an enum constant is one object");
        Child.equal(1002L, g.byColor.get(Color.BLUE), "enum map");
    }

    private static void lambdas() {
        for (int i = 0; i < N; i++) {
            Child.equal(10L + i, group.lambdas.get(i).applyAsLong(10), "lambda " + i);
        }
        Child.equal((long) N, group.anonymous.getAsLong(), "anonymous class");
        Child.equal("present", group.optional.get(), "optional");
    }

    /** A moved exception has its stack trace, whose raw form refers to class mirrors. */
    private static void thrown() {
        try {
            throw (IllegalStateException) group.thrown;
        } catch (IllegalStateException e) {
            Child.equal("build", e.getStackTrace()[0].getMethodName(), "where it was made");
            Child.equal("cause", e.getCause().getMessage(), "its cause");
            e.addSuppressed(new RuntimeException("suppressed"));
            Child.check(e.getSuppressed().length > 0, "suppressed exceptions");
        }
    }

    private static void serialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(group);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Group copy = (Group) in.readObject();
            check(copy);
            Child.inH1(copy, "a deserialised copy");
            Child.equal(group.shapes, copy.shapes, "shapes of the copy");
        }
    }
}
