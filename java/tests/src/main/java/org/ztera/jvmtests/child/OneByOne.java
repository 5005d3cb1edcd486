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
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Of 8,000 objects of one group in H2, half are dropped. One System.gc() clears and enqueues what refers to them, and
 * their cleaners run; what refers to the others stays. The VM clears soft references at every full collection.
 */
public final class OneByOne {
    private static final int N = 8000;

    private static final Cleaner cleaner = Cleaner.create();
    private static final AtomicInteger cleaned = new AtomicInteger();
    private static final ReferenceQueue<Node> queue = new ReferenceQueue<>();
    private static final List<Reference<Node>> references = new ArrayList<>();
    private static Node[] group;

    private OneByOne() {}

    public static void main(String[] args) {
        Child.main(OneByOne::test);
    }

    private static void test() throws InterruptedException {
        group = new Node[N];
        for (int i = 0; i < N; i++) {
            group[i] = new Node(i);
        }
        Child.move(group, 1);
        for (Node node : group) {
            watch(node);
        }
        Child.fullGcs(2);
        Child.equal(0, count(), "references that were cleared too early");
        for (int i = 0; i < N; i += 2) {
            group[i] = null;
        }
        Child.fullGc();
        Child.equal(3 * N / 2, count(), "references that are cleared");
        Child.await(() -> cleaned.get() == N / 2, "cleaners of what was dropped run");
        enqueued();
        Child.fullGcs(2);
        Child.equal(3 * N / 2, count(), "references that are cleared in the end");
        Child.equal(N / 2, cleaned.get(), "cleaners that ran in the end");
        for (int i = 1; i < N; i += 2) {
            Child.inH2(group[i], "what lives");
            Child.equal((long) i, group[i].value, "what lives");
            Child.check(references.get(3 * i).refersTo(group[i]), "a reference to what lives");
        }
    }

    private static void watch(Node node) {
        references.add(new WeakReference<>(node, queue));
        references.add(new SoftReference<>(node, queue));
        references.add(new PhantomReference<>(node, queue));
        cleaner.register(node, cleaned::incrementAndGet);
    }

    private static int count() {
        int cleared = 0;
        for (Reference<Node> reference : references) {
            cleared += reference.refersTo(null) ? 1 : 0;
        }
        return cleared;
    }

    private static void enqueued() throws InterruptedException {
        Set<Reference<?>> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 3 * N / 2; i++) {
            Reference<?> reference = queue.remove(60_000);
            Child.check(reference != null, "only " + i + " references were enqueued");
            Child.check(reference.refersTo(null), "a reference was enqueued that is not cleared");
            Child.check(found.add(reference), "a reference was enqueued twice");
        }
        Child.check(queue.poll() == null, "more was enqueued");
    }
}
