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

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.ztera.H2;

/**
 * The parts that every child program shares: how it starts, ends and states what must hold.
 *
 * <p>A child checks itself. It prints {@link #PASSED} as its last line and exits with 0, or prints a
 * stack trace and exits with 1; the parent test looks at both.
 *
 * <p>Children also run on a stock JVM, where the API does nothing, with {@code -Dztera.stock=true}: that
 * finds mistakes in the tests themselves. All that asks whether an object <em>is</em> in H2 goes through
 * this class and {@link H2Stats}, and is not asked in that mode.
 */
public final class Child {
    /** Last line of a child that found nothing wrong. */
    public static final String PASSED = "CHILD PASSED";

    /** Line that says that the child waits for the parent to look at it. */
    public static final String READY = "CHILD READY";

    /** A condition that has to come true by itself (reference handling, threads) has this long. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private static final boolean STOCK = Boolean.getBoolean("ztera.stock");

    private static volatile Object sink;

    private Child() {}

    /** The body of a child program. */
    @FunctionalInterface
    public interface Body {
        /** Runs the checks; an exception of any kind fails the child. */
        void run() throws Throwable;
    }

    /**
     * Runs {@code body} on a VM that must have H2 and ends the VM with the verdict. A last full GC gives
     * {@code -XX:+H2Verify} the chance to look at what the body left.
     */
    public static void main(Body body) {
        mainWithoutH2(() -> {
            requireH2();
            body.run();
            System.gc();
        });
    }

    /** Like {@link #main(Body)} for a program that runs with H2 off. */
    public static void mainWithoutH2(Body body) {
        try {
            body.run();
        } catch (Throwable t) {
            t.printStackTrace();
            System.out.flush();
            System.exit(1);
        }
        System.out.println(PASSED);
        System.out.flush();
        System.exit(0);
    }

    /** Whether this VM is meant to have H2. False only in stock mode. */
    public static boolean h2() {
        return !STOCK;
    }

    private static void requireH2() {
        check(STOCK || H2.isEnabled(), "H2 is not enabled in this VM");
        check(!STOCK || !H2.isEnabled(), "stock mode on a VM that has H2");
    }

    /** Fails unless {@code condition} holds. */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** Fails unless both are equal. */
    public static void equal(Object expected, Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(what + ": expected " + expected + " but was " + actual);
        }
    }

    /** Fails unless {@code o} lies in H2; says nothing in stock mode. */
    public static void inH2(Object o, String what) {
        check(STOCK || H2.contains(o), what + " should be in H2");
    }

    /** Fails if {@code o} lies in H2. */
    public static void inH1(Object o, String what) {
        check(!H2.contains(o), what + " should have stayed in H1");
    }

    /** Tags {@code root} and moves its group now; afterwards the root itself must be in H2. */
    public static <T> T move(T root, long label) {
        H2.tag(root, label);
        H2.moveNow(label);
        inH2(root, "root of label " + label);
        return root;
    }

    /** One full collection. */
    public static void fullGc() {
        System.gc();
    }

    /** {@code n} full collections. */
    public static void fullGcs(int n) {
        for (int i = 0; i < n; i++) {
            System.gc();
        }
    }

    /**
     * At least {@code n} young collections, by allocating more garbage each time than the young
     * generation of the tests (at most 32 MiB) can hold.
     */
    public static void youngGcs(int n) {
        for (int i = 0; i < n * 40; i++) {
            for (int j = 0; j < 64; j++) {
                sink = new byte[16 * 1024];
            }
        }
        sink = null;
    }

    /** Tells the parent that the time has come to look at this process, and waits until it has. */
    public static void ready() throws java.io.IOException {
        System.out.println(READY);
        System.out.flush();
        check(System.in.read() >= 0, "the parent went away");
    }

    /** Waits for another thread or the reference handler to make {@code condition} true. */
    public static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            check(System.nanoTime() - deadline < 0, "never happened: " + what);
            Thread.sleep(5);
        }
    }

    /**
     * Collects until {@code condition} holds, at most {@code gcs} times. More than one is for chains in
     * which each step needs the one before (a finalizer has to run before its object can die).
     */
    public static void gcUntil(BooleanSupplier condition, int gcs, String what) throws InterruptedException {
        for (int i = 0; i < gcs; i++) {
            System.gc();
            for (int j = 0; j < 20 && !condition.getAsBoolean(); j++) {
                Thread.sleep(5);
            }
            if (condition.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError("not after " + gcs + " full GCs: " + what);
    }
}
