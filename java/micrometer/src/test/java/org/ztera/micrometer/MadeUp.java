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
package org.ztera.micrometer;

import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanInfo;

/** Attributes that a test makes up. */
final class MadeUp implements DynamicMBean {
    private final Map<String, Object> attributes;

    MadeUp(Map<String, Object> attributes) {
        this.attributes = attributes;
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        if (!attributes.containsKey(name)) {
            throw new AttributeNotFoundException(name);
        }
        return attributes.get(name);
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(Attribute attribute) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AttributeList setAttributes(AttributeList list) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object invoke(String name, Object[] arguments, String[] signature) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        return new MBeanInfo(MadeUp.class.getName(), "made up", null, null, null, null);
    }
}
