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

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ReflectionException;

/** The MBean of the second heap. Its attributes are whatever this VM tells. */
final class H2Bean extends NotificationBroadcasterSupport implements DynamicMBean {
    static final String NAME = "org.ztera:type=H2";

    /** Attributes that are asked for one after the other are of one moment, as nearly as that can be. */
    private static final long FRESH_NANOS = 100_000_000;

    private Numbers numbers = Numbers.read();
    private long readAt = System.nanoTime();
    private long sent;

    private static String type(Change.Kind kind) {
        return "org.ztera.h2." + kind.name().toLowerCase(Locale.ROOT);
    }

    private synchronized Map<String, Object> values() {
        if (System.nanoTime() - readAt > FRESH_NANOS) {
            numbers = Numbers.read();
            readAt = System.nanoTime();
        }
        return numbers.values();
    }

    /** Notifies all listeners of a change: its message is the text, its bytes or count are the user data. */
    synchronized void tell(Change change) {
        Notification notification = new Notification(type(change.kind()), NAME, ++sent, change.message());
        notification.setUserData(change.bytes() > 0 ? change.bytes() : change.count());
        sendNotification(notification);
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        Object value = values().get(name);
        if (value == null) {
            throw new AttributeNotFoundException("this VM tells nothing of " + name);
        }
        return value;
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        Map<String, Object> values = values();
        AttributeList list = new AttributeList();
        Stream.of(names).filter(values::containsKey).forEach(name -> list.add(new Attribute(name, values.get(name))));
        return list;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = values().entrySet().stream()
                .map(entry -> new MBeanAttributeInfo(entry.getKey(), entry.getValue().getClass().getName(),
                        "see docs/statistics.md of ZTera", true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        String[] types = Stream.of(Change.Kind.values()).map(H2Bean::type).toArray(String[]::new);
        MBeanNotificationInfo[] notifications = {
            new MBeanNotificationInfo(types, Notification.class.getName(), "what a collection changed")
        };
        return new MBeanInfo(H2Bean.class.getName(), "The second heap of this VM", attributes, null, null, notifications);
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " cannot be set");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String name, Object[] arguments, String[] signature) throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(name));
    }

    @Override
    public MBeanNotificationInfo[] getNotificationInfo() {
        return getMBeanInfo().getNotifications();
    }
}
