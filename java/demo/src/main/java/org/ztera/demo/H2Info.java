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
package org.ztera.demo;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;
import org.ztera.H2;

/** The VM's answer to {@code GC.h2_info json}. It has numbers that {@link H2.Stats} lacks. */
public final class H2Info {
    private H2Info() {
    }

    /** @return the answer, one JSON object on one line; nothing where there is no second heap, or no memory to ask */
    public static Optional<String> json() {
        try {
            return H2.isEnabled() ? Optional.of(ask()) : Optional.empty();
        } catch (OutOfMemoryError noRoom) {
            // A program that has done all its work must not fail now.
            return Optional.empty();
        }
    }

    /** Without labels: a program may have many, and the answer would take longer the more the heap holds. */
    private static String ask() {
        Object[] arguments = {new String[] {"-labels=false", "json"}};
        String[] signature = {String[].class.getName()};
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            Object answer = ManagementFactory.getPlatformMBeanServer().invoke(commands, "gcH2Info", arguments, signature);
            return ((String) answer).strip();
        } catch (JMException e) {
            throw new IllegalStateException("the VM does not answer GC.h2_info", e);
        }
    }
}
