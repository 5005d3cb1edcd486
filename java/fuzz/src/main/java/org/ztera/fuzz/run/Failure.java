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
package org.ztera.fuzz.run;

import java.nio.file.Path;
import java.util.List;

/**
 * A difference or crash that must not be.
 *
 * @param program the class name of the program that showed it
 * @param expected the reference's trace
 * @param actual the trace under test, up to where it ends
 * @param directory of the child, with its output, log and crash report
 */
public record Failure(Kind kind, String program, Mode mode, List<String> expected, List<String> actual, Path directory) {

    /** In what way. */
    public enum Kind {
        /** The JVM under test ended while it ran the program. */
        DIED,
        /** It stopped making progress. */
        HUNG,
        /** The program met what cannot be, and said so. */
        CHECK,
        /** The traces differ. */
        DIFFERS,
        /** The program fails on the reference: the fuzzer has made a bad program. */
        INVALID
    }

    /** The first place where the traces differ, in words. */
    public String difference() {
        for (int i = 0; i < expected.size(); i++) {
            String there = i < actual.size() ? actual.get(i) : "(nothing)";
            if (!expected.get(i).equals(there)) {
                return "line " + (i + 1) + ": expected '" + expected.get(i) + "', got '" + there + "'";
            }
        }
        return actual.size() > expected.size() ? "more than expected: '" + actual.get(expected.size()) + "'"
                : "after the trace was complete";
    }

    @Override
    public String toString() {
        return kind + " " + program + " in mode " + mode + ": " + difference();
    }
}
