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
package org.ztera.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import javax.management.NotificationEmitter;

/** Looks after each collection what it changed. */
final class AfterCollections {
    private final List<Consumer<Change>> listeners;
    private Numbers last = Numbers.read();

    private AfterCollections(List<Consumer<Change>> listeners) {
        this.listeners = listeners;
    }

    /** Tells the listeners of all changes from now on, by the thread that sends the platform's notifications. */
    static void listen(List<Consumer<Change>> listeners) {
        AfterCollections after = new AfterCollections(listeners);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(collector ->
                ((NotificationEmitter) collector).addNotificationListener((notification, ignored) -> after.look(),
                        notification -> notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
                        null));
    }

    private synchronized void look() {
        Numbers now = Numbers.read();
        List<Change> changes = Change.between(last, now);
        last = now;
        changes.forEach(change -> listeners.forEach(listener -> listener.accept(change)));
    }
}
