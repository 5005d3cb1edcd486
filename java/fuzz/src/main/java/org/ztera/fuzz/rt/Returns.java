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
package org.ztera.fuzz.rt;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.ztera.H2;

/** Groups that come back to the ordinary heap. */
final class Returns {
    private Returns() {}

    /** One full collection, before which the group of {@code label} returns if there is room for it. */
    static void giveBack(long label) {
        if (!H2.isEnabled()) {
            System.gc();
            return;
        }
        try {
            ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcH2Return",
                    new Object[] {new String[] {Long.toString(label)}}, new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new FuzzError("GC.h2_return: " + e);
        }
    }
}
