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

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * A program that locks its memory ({@code mlockall}), which the kernel does not take back then, may move as often as
 * others.
 */
public final class LockedMemory {
    /** Present and future pages, each page once it is touched: a VM has reserved more than there is memory. */
    private static final int CURRENT_FUTURE_ON_FAULT = 7;

    private static Node root;

    private LockedMemory() {}

    public static void main(String[] args) {
        Child.main(LockedMemory::test);
    }

    private static void test() throws Throwable {
        moveLookAndDrop(0);
        if (mlockall() != 0) {
            System.out.println("SKIPPED, mlockall fails; it needs root or a large limit of locked memory (ulimit -l)");
            return;
        }
        for (int round = 1; round <= 6; round++) {
            moveLookAndDrop(round);
        }
    }

    /** Objects of another size each time, so that no object starts where one did before. */
    private static void moveLookAndDrop(int round) {
        root = null;
        for (int i = 0; i < 20_000; i++) {
            Node node = new Node(i);
            node.payload = new byte[8 * round + i % 5];
            node.left = root;
            root = node;
        }
        Child.move(root, 1);
        int nodes = 0;
        for (Node n = root; n != null; n = n.left) {
            Child.inH2(n, "a node of round " + round);
            Child.inH2(n.payload, "an array of round " + round);
            nodes++;
        }
        Child.equal(20_000, nodes, "nodes in the list");
        if (Child.h2()) {
            Jcmd.run("gcH2Live");
        }
        root = null;
        Child.fullGcs(2);
    }

    private static int mlockall() throws Throwable {
        Linker linker = Linker.nativeLinker();
        var type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        return (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("mlockall"), type).invokeExact(CURRENT_FUTURE_ON_FAULT);
    }
}
