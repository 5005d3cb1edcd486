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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** The VM's class histogram, called for from inside the process. */
public final class Diagnostics {
    private Diagnostics() {}

    /** The output of {@code GC.class_histogram} with these arguments. */
    public static String histogram(String... arguments) {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                            new Object[] {arguments}, new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError("GC.class_histogram", e);
        }
    }

    /** Instances of a class in the output of {@code GC.class_histogram}; 0 if it has no line. */
    public static long instances(String histogram, Class<?> c) {
        Matcher m = Pattern.compile("^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+" + Pattern.quote(c.getName()) + "(\\s.*)?$",
                Pattern.MULTILINE).matcher(histogram);
        return m.find() ? Long.parseLong(m.group(1)) : 0;
    }
}
