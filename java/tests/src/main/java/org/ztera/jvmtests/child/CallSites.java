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

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

/**
 * Compiled code depends on the target of a call site, which keeps a list of such code. Both are in good order when the
 * call site returns from H2, also if it does so in the very collection that unloads the code.
 */
public final class CallSites {
    private static final int SITES = 8;
    private static final long LABEL = 1;

    private CallSites() {}

    /** The call site of a class is a constant of its code; each caller is a class of its own. */
    private interface Caller {
        MutableCallSite site();

        int call() throws Throwable;
    }

    private static final class Template implements Caller {
        private static final MutableCallSite SITE = new MutableCallSite(MethodHandles.constant(int.class, 0));
        private static final MethodHandle INVOKER = SITE.dynamicInvoker();

        Template() {}

        @Override
        public MutableCallSite site() {
            return SITE;
        }

        @Override
        public int call() throws Throwable {
            return (int) INVOKER.invokeExact();
        }
    }

    public static void main(String[] args) {
        Child.main(CallSites::test);
    }

    private static void test() throws Throwable {
        // Code is unloaded by the first or the second collection after the one that last saw it in use.
        for (int collections = 0; collections < 3; collections++) {
            returnWhileCodeIsUnloaded(collections);
        }
    }

    private static void returnWhileCodeIsUnloaded(int collections) throws Throwable {
        Caller[] callers = new Caller[SITES];
        for (int i = 0; i < SITES; i++) {
            callers[i] = newCaller();
            callers[i].site().setTarget(returning(1));
            compile(callers[i], 1);
            Child.move(callers[i].site(), LABEL);
            compile(callers[i], 1);
        }
        for (Caller caller : callers) {
            caller.site().setTarget(returning(2));
        }
        Child.fullGcs(collections);
        if (Child.h2()) {
            Jcmd.run("gcH2Return", Long.toString(LABEL));
        }
        for (int target = 3; target < 6; target++) {
            for (Caller caller : callers) {
                Child.inH1(caller.site(), "the call site");
                caller.site().setTarget(returning(target));
                compile(caller, target);
            }
            Child.fullGc();
        }
    }

    /** Runs it until it is compiled for its target. The tests compile in the thread that asks for it (-Xbatch). */
    private static void compile(Caller caller, int expected) throws Throwable {
        for (int i = 0; i < 30_000; i++) {
            if (caller.call() != expected) {
                throw new AssertionError("an old target was called");
            }
        }
    }

    private static MethodHandle returning(int value) {
        return MethodHandles.constant(int.class, value);
    }

    private static Caller newCaller() throws IOException, ReflectiveOperationException {
        try (InputStream bytes = CallSites.class.getResourceAsStream("CallSites$Template.class")) {
            Class<?> type = MethodHandles.lookup().defineHiddenClass(bytes.readAllBytes(), true).lookupClass();
            return (Caller) type.getDeclaredConstructor().newInstance();
        }
    }
}
