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

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The answer of {@code jcmd GC.h2_info json} about this VM. */
public record H2Info(String json) {
    /** As it is now. */
    public static H2Info read() {
        return new H2Info(Jcmd.run("gcH2Info", "json"));
    }

    /** A figure, absent where the backing has none. */
    public OptionalLong find(String name) {
        Matcher m = Pattern.compile('"' + name + "\":(\\d+)").matcher(json);
        return m.find() ? OptionalLong.of(Long.parseLong(m.group(1))) : OptionalLong.empty();
    }

    /** As it is now, and of each region by itself. */
    public static H2Info readWithRegions() {
        return new H2Info(Jcmd.run("gcH2Info", "-regions", "json"));
    }

    /** The sum of a figure over all regions of a label, in what {@link #readWithRegions} returns. */
    public long sumOfRegions(long label, String name) {
        Matcher m = Pattern.compile("\\{\"region\":\\d+,\"label\":" + label + ",[^}]*\\}").matcher(json);
        return m.results().mapToLong(region -> new H2Info(region.group()).value(name)).sum();
    }

    /** The entry of a label that is in use. */
    public H2Info label(long label) {
        Matcher m = Pattern.compile("\\{\"label\":" + label + ",[^}]*\\}").matcher(json);
        if (!m.find()) {
            throw new AssertionError("no label " + label + " in " + json);
        }
        return new H2Info(m.group());
    }

    /** A figure that must be there. */
    public long value(String name) {
        return find(name).orElseThrow(() -> new AssertionError("no " + name + " in " + json));
    }
}
