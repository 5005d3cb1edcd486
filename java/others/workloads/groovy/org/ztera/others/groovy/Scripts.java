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
package org.ztera.others.groovy;

import groovy.lang.Binding;
import groovy.lang.Closure;
import groovy.lang.GroovyShell;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SplittableRandom;
import org.ztera.others.child.Checks;

/**
 * Random scripts are compiled, each by a class loader of its own, and run; closures of the last ones are kept and
 * called again, so that classes, call sites and metaclasses come and go while objects move. Each result is compared
 * with what Java computes. Argument: the number of scripts.
 */
public final class Scripts {
    private static final int KEPT = 12;

    private record Kept(Closure<?> closure, BigInteger factor, BigInteger summand) {
        void verify(long x) {
            Checks.equal(BigInteger.valueOf(x).multiply(factor).add(summand), closure.call(BigInteger.valueOf(x)), "a kept closure");
        }
    }

    private Scripts() {
    }

    public static void main(String[] args) {
        SplittableRandom random = new SplittableRandom(61);
        Deque<Kept> kept = new ArrayDeque<>();
        BigInteger sum = BigInteger.ZERO;
        for (int n = Integer.parseInt(args[0]); n > 0; n--) {
            int factor = random.nextInt(1, 1000);
            int summand = random.nextInt(1000);
            int limit = random.nextInt(1, 300);
            Object result = new GroovyShell(new Binding(Map.of("limit", limit))).evaluate("""
                    class Line%1$d {
                        BigInteger factor = %2$dG
                        def at(x) { x * factor + %3$dG }
                    }
                    def line = new Line%1$d()
                    def squares = (1..limit).collect { it * it }.findAll { it %% 3 != 0 }
                    def words = squares.groupBy { "digits ${it.toString().size()}".toString() }
                    assert words.values().flatten().sort() == squares
                    [sum: squares.sum() ?: 0, at: line.&at]
                    """.formatted(n, factor, summand));
            Map<?, ?> map = (Map<?, ?>) result;
            long expected = 0;
            for (long i = 1; i <= limit; i++) {
                expected += i * i % 3 != 0 ? i * i : 0;
            }
            Checks.equal(expected, ((Number) map.get("sum")).longValue(), "a script's sum");
            sum = sum.add(BigInteger.valueOf(expected));
            kept.add(new Kept((Closure<?>) map.get("at"), BigInteger.valueOf(factor), BigInteger.valueOf(summand)));
            if (kept.size() > KEPT) {
                kept.remove();
            }
            long x = random.nextLong();
            kept.forEach(k -> k.verify(x));
        }
        Checks.answer("sum of all scripts: " + sum);
    }
}
