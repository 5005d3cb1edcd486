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

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Inflater;

/**
 * Cleaning actions of objects in H2 run when their region dies, once, and not before; also when the objects have as a
 * field what the action needs, as the JDK's own do.
 */
public final class Cleaners {
    private static final int N = 100;

    /** More than all constants that these groups meet take, and less than the states of all rounds. */
    private static final long CONSTANT_BYTES = 64 << 10;

    private static final Cleaner cleaner = Cleaner.create();
    private static final AtomicInteger before = new AtomicInteger();
    private static final AtomicInteger after = new AtomicInteger();
    private static Object[] group;

    /** The cleaned object refers to its action. */
    private static final class WithAction {
        final Runnable action;

        WithAction() {
            AtomicInteger count = before;
            action = count::incrementAndGet;
            cleaner.register(this, action);
        }
    }

    /** The cleaned object refers to what its action has captured. */
    private static final class WithState {
        final State state = new State(new int[1]);

        WithState() {
            cleaner.register(this, state::close);
        }
    }

    /** Of no cleaner of the JDK's. */
    private static final class WithOwner extends PhantomReference<Object> {
        final Object owner;

        WithOwner(Object referent, Object owner, ReferenceQueue<Object> queue) {
            super(referent, queue);
            this.owner = owner;
        }
    }

    private record State(int[] numbers) {
        void close() {
            after.addAndGet(numbers.length);
        }
    }

    private Cleaners() {}

    public static void main(String[] args) {
        Child.main(Cleaners::test);
    }

    private static void test() throws InterruptedException {
        actionsAreOfNoGroup();
        statesInTheirGroup();
        statesThatAreNeededNoMoreDie();
        ownersOfReferencesMove();
        ownersThatTheReferentHasStayOut();
    }

    private static void actionsAreOfNoGroup() throws InterruptedException {
        build();
        Child.youngGcs(2);
        Child.fullGcs(2);
        Child.equal(0, before.get() + after.get(), "actions that ran too early");
        Child.equal(7, ((ByteBuffer) group[N]).getInt(0), "direct buffer");
        ((Cleaner.Cleanable) group[N + 1]).clean();
        Child.equal(1, before.get(), "actions after an explicit clean");
        group = null;
        Child.fullGc();
        Child.await(() -> before.get() == N && after.get() == N, "all cleaning actions run");
        H2Stats.exactly(0, H2Stats.regionsUsed(), "regions");
    }

    private static void statesInTheirGroup() throws InterruptedException {
        before.set(0);
        after.set(0);
        buildWithStates();
        Child.youngGcs(2);
        Child.fullGcs(2);
        Child.equal(0, before.get() + after.get(), "actions that ran too early");
        group = null;
        Child.fullGc();
        Child.await(() -> before.get() == N + 1 && after.get() == N + 1, "all cleaning actions run");
        Child.fullGcs(2);
        // Inflaters refer to a static buffer, which is in the region of what is shared.
        H2Stats.atMost(1, H2Stats.regionsUsed(), "regions");
    }

    /** Where constants are they would stay for ever; {@code emptyList} is such a constant. */
    private static void statesThatAreNeededNoMoreDie() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            after.set(0);
            buildWithStates();
            group = new Object[] {group, Collections.emptyList()};
            group = Child.move(group, 5);
            group = null;
            Child.fullGc();
            Child.await(() -> after.get() == N + 1, "all cleaning actions run");
        }
        Child.fullGcs(2);
        H2Stats.atMost(CONSTANT_BYTES, H2Stats.used(), "bytes of constants");
    }

    /** The referent of a PhantomReference of the program's own is part of a group like anything else. */
    private static void ownersOfReferencesMove() {
        Object owner = Graphs.list(1000, 1);
        WithOwner reference = new WithOwner(new Object(), owner, null);
        group = Child.move(new Object[] {owner}, 6);
        Child.inH2(owner, "what a reference refers to");
        Child.check(reference.owner == owner, "the reference's field");
    }

    /** But not if the referent refers to it, too, also when that has moved long before. */
    private static void ownersThatTheReferentHasStayOut() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WithOwner reference = groupThatGrows(queue);
        group = null;
        Child.gcUntil(() -> reference.refersTo(null), 2, "the reference is cleared");
        Child.await(() -> queue.poll() == reference, "the reference is enqueued");
    }

    private static WithOwner groupThatGrows(ReferenceQueue<Object> queue) {
        Node owner = new Node(1);
        Node first = new Node(2);
        first.payload = owner;
        WithOwner reference = new WithOwner(first, owner, queue);
        Child.move(first, 7);
        Child.inH2(first, "what is to be cleaned");
        Node second = new Node(3);
        second.payload = owner;
        Child.move(second, 7);
        Child.inH2(second, "what joins its group");
        group = new Object[] {first, second};
        Child.fullGc();
        Child.check(!reference.refersTo(null), "a reference to what is in use was cleared");
        return reference;
    }

    /** An object that has a cleaner may be tagged itself. */
    private static void buildWithStates() {
        Object[] many = new Object[3 * N];
        for (int i = 0; i < N; i++) {
            many[i] = new WithAction();
            many[N + i] = new WithState();
            many[2 * N + i] = new Inflater();
        }
        Child.move(many, 2);
        for (Object member : many) {
            Child.inH2(member, "an object with a cleaner");
        }
        group = new Object[] {many, Child.move(new WithAction(), 3), Child.move(new WithState(), 4)};
    }

    /** Half of the actions are registered before the move, half after it. */
    private static void build() {
        group = new Object[N + 2];
        for (int i = 0; i < N; i++) {
            group[i] = new Node(i);
            Cleaner.Cleanable c = cleaner.register(group[i], before::incrementAndGet);
            if (i == 0) {
                group[N + 1] = c;
            }
        }
        // A direct buffer brings a cleaner of the JDK's own (a PhantomReference, so it stays in H1).
        group[N] = ByteBuffer.allocateDirect(4096).putInt(0, 7);
        Child.move(group, 1);
        for (int i = 0; i < N; i++) {
            Child.inH2(group[i], "an object with a cleaner");
            cleaner.register(group[i], after::incrementAndGet);
        }
    }
}
