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

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Commands of {@code jcmd} to this VM. */
final class Jcmd {
    private Jcmd() {}

    /**
     * The answer of the VM to a command, which has the name that its MBean gives it: {@code gcH2Info} is {@code
     * GC.h2_info}.
     */
    static String run(String command, String... arguments) {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), command,
                    new Object[] {arguments}, new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError(command + " failed", e);
        }
    }
}
