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

import java.lang.management.ManagementFactory;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** The MBean of a second heap. */
final class Bean {
    /** Kept here, as meters hold what they ask weakly. */
    static final Bean OF_THIS_VM = new Bean("org.ztera:type=H2");

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName name;

    Bean(String name) {
        try {
            this.name = new ObjectName(name);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    /** An attribute; null if this VM does not tell it, or not yet. */
    private Object attribute(String attribute) {
        try {
            return server.getAttribute(name, attribute);
        } catch (AttributeNotFoundException e) {
            return null;
        } catch (JMException e) {
            throw new IllegalStateException(name + " does not answer", e);
        }
    }

    /** Whether pages are compressed. With a mapped file there are neither tiers nor a limit that is divided. */
    boolean hasTiers() {
        return "tier".equals(attribute("Backing"));
    }

    /** A number, or what stands for one that is not there. */
    double number(String attribute, double otherwise) {
        return attribute(attribute) instanceof Number number ? number.doubleValue() : otherwise;
    }
}
