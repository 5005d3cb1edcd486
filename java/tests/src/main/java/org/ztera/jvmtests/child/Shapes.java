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

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.ztera.H2;

/**
 * Looks through an H2 whose pages are nearly all compressed: 4 MiB of 40 are resident, and nothing verifies. A look
 * marks from shapes, so it brings back only what was written, and it finds what a full trace would find.
 */
public final class Shapes {
    private static final int N = 8000;
    private static final int LENGTH = 4;
    private static final int BYTES = 1000;

    private static Node[] group;
    private static final List<WeakReference<Node>> lists = new ArrayList<>();
    private static final List<WeakReference<Node>> rests = new ArrayList<>();

    private Shapes() {}

    /** With the argument {@code stressed}, other objects move meanwhile, and looks may read as much as they like. */
    public static void main(String[] args) {
        boolean isStressed = List.of(args).contains("stressed");
        Child.main(() -> test(isStressed ? Long.MAX_VALUE : N / 40));
    }

    private static void test(long mostFaults) {
        group = new Node[N];
        for (int i = 0; i < N; i++) {
            group[i] = list(i);
            lists.add(new WeakReference<>(group[i]));
            rests.add(new WeakReference<>(group[i].left));
        }
        Child.move(group, 1);
        compileStores();

        drop();
        faultsInLook(mostFaults, "a third of the lists has died");
        for (int i = 0; i < N; i++) {
            Child.equal(i % 3 == 0, lists.get(i).refersTo(null), "list " + i + " is dead");
        }
        checkLists();

        write();
        look();
        checkWritten();

        // Those who walk through H2 find objects and fillers only.
        Jcmd.run("gcClassHistogram", "-all");
        checkWritten();
        faultsInLook(mostFaults, "nothing has changed");
        checkWritten();
    }

    private static Node list(int i) {
        Node head = Graphs.list(LENGTH, (long) i * LENGTH);
        for (Node n = head; n != null; n = n.left) {
            n.payload = Graphs.bytes(BYTES, n.value);
        }
        return head;
    }

    /** Compiled code stores null another way than the interpreter. */
    private static void compileStores() {
        Node[] other = new Node[N];
        for (int round = 0; round < 40; round++) {
            clear(other, 3);
        }
    }

    private static void clear(Node[] array, int step) {
        for (int i = 0; i < array.length; i += step) {
            array[i] = null;
        }
    }

    private static void drop() {
        clear(group, 3);
    }

    /** Of a list whose number is 1 modulo 6 the rest is replaced by the list 3 behind it, which has no other holder. */
    private static void write() {
        for (int i = 1; i + 3 < N; i += 6) {
            group[i].left = group[i + 3];
            group[i + 3] = null;
        }
    }

    private static boolean isWritten(int i) {
        return i % 6 == 1 && i + 3 < N;
    }

    private static void checkWritten() {
        for (int i = 0; i < N; i++) {
            boolean dead = i % 3 == 0 || isWritten(i);
            Child.equal(dead, rests.get(i).refersTo(null), "the rest of list " + i + " is dead");
            if (isWritten(i)) {
                Graphs.checkBytes((byte[]) group[i].payload, group[i].value, "payload");
                checkList(group[i].left, i + 3);
            } else if (group[i] != null) {
                checkList(group[i], i);
            }
        }
    }

    private static void checkLists() {
        for (int i = 0; i < N; i++) {
            if (i % 3 != 0) {
                checkList(group[i], i);
            }
        }
    }

    private static void checkList(Node head, int i) {
        Child.equal(Graphs.listSum(LENGTH, (long) i * LENGTH), Graphs.sum(head), "list " + i);
        for (Node n = head; n != null; n = n.left) {
            Graphs.checkBytes((byte[]) n.payload, n.value, "payload");
        }
    }

    private static void look() {
        if (Child.h2()) {
            Jcmd.run("gcH2Live");
        } else {
            System.gc();
        }
    }

    private static void faultsInLook(long most, String what) {
        long before = H2.stats().faultCount();
        look();
        long faults = H2.stats().faultCount() - before;
        System.out.println("faults in a look: " + faults);
        Child.check(faults <= most, faults + " faults in a look when " + what);
    }
}
