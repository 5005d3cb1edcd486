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

import static org.ztera.fuzz.gen.Feature.cold;
import static org.ztera.fuzz.gen.Feature.hot;
import static org.ztera.fuzz.program.Types.element;

import java.util.List;
import org.ztera.fuzz.gen.Universe.Place;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Types;

/** Fields and elements reached by VarHandle, Unsafe, reflection and method handles. */
final class HandleFeatures {
    private HandleFeatures() {}

    static List<Feature> all() {
        return List.of(
                hot("VarHandle on a reference", 6, HandleFeatures::reference),
                hot("VarHandle on a number", 3, HandleFeatures::number),
                hot("VarHandle on an array", 4, HandleFeatures::array),
                hot("VarHandle view of bytes", 2, HandleFeatures::view),
                hot("Unsafe on a reference", 4, HandleFeatures::unsafeReference),
                hot("Unsafe on an array", 2, HandleFeatures::unsafeArray),
                cold("reflection", 3, HandleFeatures::reflection),
                cold("reflective array", 2, HandleFeatures::reflectiveArray, 300),
                cold("bound method handle", 3, HandleFeatures::bound));
    }

    private static String handle(Universe u, Place p) {
        return u.constant("VarHandle", "VH_" + p.field().name(), "Fuzz.field(MethodHandles.lookup(), %s.class, \"%s\", %s.class)"
                .formatted(u.owner(p).name(), p.field().name(), p.field().type()));
    }

    private static String reference(Universe u) {
        Place p = u.writable(f -> !f.isPrimitive());
        String type = p.field().type();
        String value = Values.of(u, type);
        String t = u.fresh("t");
        String use = switch (u.random.nextInt(8)) {
            case 0 -> "%1$s.setVolatile(%2$s, (%3$s) (%5$s));";
            case 1 -> "%1$s.setRelease(%2$s, (%3$s) (%5$s)); %4$s = (%3$s) %1$s.getAcquire(%2$s);";
            case 2 -> "%4$s = (%3$s) %1$s.getAndSet(%2$s, (%3$s) (%5$s));";
            case 3 -> "acc += %1$s.compareAndSet(%2$s, %4$s, (%3$s) (%5$s)) ? 1 : 2;";
            case 4 -> "%4$s = (%3$s) %1$s.compareAndExchange(%2$s, %4$s, (%3$s) (%5$s));";
            // A weak one may fail, so it is repeated until it has done what a strong one would have.
            case 5 -> "while (%4$s == (%3$s) %1$s.getVolatile(%2$s) && !%1$s.weakCompareAndSet(%2$s, %4$s, (%3$s) (%5$s))) { }";
            case 6 -> "%1$s.setOpaque(%2$s, (%3$s) (%5$s)); acc += %1$s.getOpaque(%2$s) == %4$s ? 1 : 2;";
            default -> "acc += %1$s.get(%2$s) == (Object) (%5$s) ? 1 : 2;";
        };
        return ("if (%2$s != null) { %3$s %4$s = (%3$s) %1$s.getVolatile(%2$s); " + use + " acc += %4$s == null ? 1 : 2; }")
                .formatted(handle(u, p), p.slot().name(), type, t, value);
    }

    private static String number(Universe u) {
        Place p = u.writable(f -> f.type().equals("int") || f.type().equals("long"));
        if (p == null) {
            return null;
        }
        String use = switch (u.random.nextInt(4)) {
            case 0 -> "acc += (%2$s) %1$s.getAndAdd(%3$s, (%2$s) 3);";
            case 1 -> "acc += (%2$s) %1$s.getAndBitwiseXor(%3$s, (%2$s) acc);";
            case 2 -> "acc += %1$s.compareAndSet(%3$s, %3$s.%4$s, (%2$s) acc) ? 1 : 2;";
            default -> "%1$s.setRelease(%3$s, (%2$s) acc);";
        };
        return ("if (%3$s != null) { " + use + " }").formatted(handle(u, p), p.field().type(), p.slot().name(), p.field().name());
    }

    private static String array(Universe u) {
        Slot s = u.array(false);
        String e = element(s.type());
        String handle = u.constant("VarHandle", "VH_" + Types.word(s.type()), "MethodHandles.arrayElementVarHandle(" + s.type() + ".class)");
        String use = switch (u.random.nextInt(3)) {
            case 0 -> "acc += (%2$s) %3$s.getAndSet(%1$s, 0, (%2$s) (%4$s)) == null ? 1 : 2;";
            case 1 -> "acc += %3$s.compareAndSet(%1$s, 0, %1$s[0], (%2$s) (%4$s)) ? 1 : 2;";
            default -> "%3$s.setVolatile(%1$s, %1$s.length - 1, (%2$s) (%4$s));";
        };
        // The array may be of a subclass.
        return ("try { if (%1$s != null && %1$s.length > 0) { " + use + " } } catch (ClassCastException | ArrayStoreException e) { acc += 31; }")
                .formatted(s.name(), e, handle, Values.of(u, e));
    }

    private static String view(Universe u) {
        Slot s = u.slotOf("byte[]");
        String handle = u.constant("VarHandle", "VH_view", "MethodHandles.byteArrayViewVarHandle(long[].class, java.nio.ByteOrder.nativeOrder())");
        return "if (%s != null && %1$s.length >= 24) { acc += (long) %s.get(%1$s, 3); %2$s.set(%1$s, 11, acc); }".formatted(s.name(), handle);
    }

    private static String unsafe(Universe u) {
        return u.constant("Unsafe", "U", "(Unsafe) Fuzz.unsafe()");
    }

    private static String unsafe(Universe u, Place p) {
        unsafe(u);
        return u.constant("long", "OFFSET_" + p.field().name(), "U.objectFieldOffset(Fuzz.declared(%s.class, \"%s\"))"
                .formatted(u.owner(p).name(), p.field().name()));
    }

    private static String unsafeReference(Universe u) {
        Place p = u.writable(f -> !f.isPrimitive());
        String use = switch (u.random.nextInt(4)) {
            case 0 -> "U.putObject(%1$s, %2$s, %3$s);";
            case 1 -> "acc += U.compareAndSwapObject(%1$s, %2$s, U.getObject(%1$s, %2$s), %3$s) ? 1 : 2;";
            case 2 -> "U.putObjectVolatile(%1$s, %2$s, %3$s);";
            default -> "acc += U.getAndSetObject(%1$s, %2$s, %3$s) == null ? 1 : 2;";
        };
        String value = "(" + p.field().type() + ") (" + Values.of(u, p.field().type()) + ")";
        return ("if (%1$s != null) { " + use + " acc += U.getObject(%1$s, %2$s) == %1$s.%4$s ? 5 : 6; }")
                .formatted(p.slot().name(), unsafe(u, p), value, p.field().name());
    }

    private static String unsafeArray(Universe u) {
        Slot s = u.slotOf("int[]");
        unsafe(u);
        String base = "Unsafe.ARRAY_INT_BASE_OFFSET";
        String accesses = "acc += U.getInt(%1$s, (long) %2$s + 4); U.putInt(%1$s, (long) %2$s, (int) acc);"
                + " acc += U.getAndAddInt(%1$s, (long) %2$s + 8, 3);";
        return ("if (%1$s != null && %1$s.length > 2) { " + accesses + " }").formatted(s.name(), base);
    }

    private static String reflection(Universe u) {
        Place p = u.writable(f -> !f.isPrimitive());
        Slot s = u.slotOf("Object");
        return """
                if (%1$s != null) {
                    java.lang.reflect.Field field = %2$s.class.getDeclaredField("%3$s");
                    field.setAccessible(true);
                    %4$s = field.get(%1$s);
                    field.set(%1$s, (%5$s) (%6$s));
                    acc += (Long) Node.class.getMethod("poke", long.class).invoke(%1$s, 5L);
                }""".formatted(p.slot().name(), u.owner(p).name(), p.field().name(), s.name(), p.field().type(),
                Values.of(u, p.field().type()));
    }

    private static String reflectiveArray(Universe u) {
        Slot s = u.slotOf("Object");
        String e = u.oneIn(2) ? u.oneOf(Types.PRIMITIVES) : u.oneOf(u.classes).name();
        return """
                %1$s = java.lang.reflect.Array.newInstance(%2$s.class, @0);
                acc += java.lang.reflect.Array.getLength(%1$s) + %1$s.getClass().getName().length();""".formatted(s.name(), e);
    }

    /** A method handle keeps its receiver and its arguments. */
    private static String bound(Universe u) {
        Slot s = u.slot(x -> u.classNamed(x.type()) != null);
        Slot fn = u.slotOf("Fn");
        String t = u.fresh("t");
        return """
                if (%1$s != null) {
                    MethodHandle %2$s = MethodHandles.lookup().findVirtual(Node.class, "poke", MethodType.methodType(long.class, long.class))
                            .bindTo(%1$s);
                    %3$s = x -> { try { return (long) %2$s.invoke(x); } catch (Throwable e) { return -1; } };
                }""".formatted(s.name(), t, fn.name());
    }
}
