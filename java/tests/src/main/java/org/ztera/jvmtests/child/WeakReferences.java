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

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ztera.H2;

/**
 * Weak and phantom references to H2 objects are cleared and enqueued when the region dies, and not
 * before. Argument {@code soft}: the VM clears soft references at every full GC, so they count too;
 * without it they keep the region alive.
 */
public final class WeakReferences {
    private static final int N = 50;

    private static Node kept;
    private static Node dropped;
    private static final ReferenceQueue<Node> queue = new ReferenceQueue<>();
    private static final List<Reference<Node>> toKept = new ArrayList<>();
    private static final List<Reference<Node>> toDropped = new ArrayList<>();
    private static SoftReference<Node> soft;

    private WeakReferences() {}

    public static void main(String[] args) {
        boolean softIsWeak = args.length == 1 && args[0].equals("soft");
        Child.main(() -> {
            referencesMadeBeforeAndAfterTheMove();
            notBefore();
            regionDies();
            softReference(softIsWeak);
        });
    }

    private static void referencesMadeBeforeAndAfterTheMove() {
        kept = Graphs.list(N, 0);
        dropped = Graphs.list(N, 1000);
        watch(kept, toKept);
        watch(dropped, toDropped);
        Child.move(kept, 1);
        Child.move(dropped, 2);
        Child.inH1(toKept.get(0), "a reference to an H2 object");
        watch(kept, toKept);
        watch(dropped, toDropped);
        // Old references (promoted) and young ones take different paths through the collector.
        Child.youngGcs(4);
        watch(kept, toKept);
        watch(dropped, toDropped);
    }

    private static void watch(Node head, List<Reference<Node>> list) {
        for (Node n = head; n != null; n = n.left) {
            list.add(new WeakReference<>(n, queue));
            list.add(new PhantomReference<>(n, queue));
        }
    }

    private static void notBefore() {
        Child.youngGcs(2);
        Child.fullGcs(2);
        Child.check(queue.poll() == null, "nothing is enqueued while all is reachable");
        expect(toKept, false);
        expect(toDropped, false);
        int i = 0;
        for (Node n = kept; n != null; n = n.left) {
            Child.check(toKept.get(2 * i).get() == n, "weak referent");
            Child.check(toKept.get(2 * i + 1).refersTo(n), "phantom referent");
            i++;
        }
    }

    private static void regionDies() throws InterruptedException {
        dropped = null;
        Child.fullGc();
        expect(toDropped, true);
        expect(toKept, false);
        Set<Reference<?>> enqueued = new HashSet<>();
        for (int i = 0; i < toDropped.size(); i++) {
            Reference<?> r = queue.remove(60_000);
            Child.check(r != null, "only " + i + " of " + toDropped.size() + " references were enqueued");
            enqueued.add(r);
        }
        Child.equal(new HashSet<>(toDropped), enqueued, "what was enqueued");
        Child.check(queue.poll() == null, "nothing else is enqueued");
        Child.equal(Graphs.listSum(N, 0), Graphs.sum(kept), "the other list");
    }

    private static void expect(List<Reference<Node>> references, boolean cleared) {
        for (Reference<Node> r : references) {
            Child.equal(cleared, r.refersTo(null), "a " + r.getClass().getSimpleName() + " is cleared");
        }
    }

    private static void softReference(boolean softIsWeak) {
        softlyHeld();
        Child.fullGcs(2);
        Child.equal(softIsWeak, soft.refersTo(null), "the soft reference is cleared");
        if (!softIsWeak) {
            Child.inH2(soft.get(), "the softly held list");
            Child.equal(Graphs.listSum(N, 2000), Graphs.sum(soft.get()), "the softly held list");
        }
    }

    private static void softlyHeld() {
        Node list = Graphs.list(N, 2000);
        soft = new SoftReference<>(list);
        soft.get();
        H2.tag(list, 3);
        H2.moveNow(3);
        Child.inH2(list, "the softly held list");
    }
}
