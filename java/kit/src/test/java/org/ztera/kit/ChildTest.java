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
package org.ztera.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {
    /** No program here takes a hundredth of it. */
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    /** Prints what it is sent, until that is {@code end}. */
    static final class Echo {
        public static void main(String[] args) {
            System.out.println("ready");
            for (String line = IO.readln(); !line.equals("end"); line = IO.readln()) {
                System.err.println("got " + line);
            }
            System.exit(args.length);
        }
    }

    private Child start(String... arguments) throws IOException {
        return new Jvm(JavaHome.current()).flag("-XX:+UseSerialGC").main(ClassPath.of(Echo.class), Echo.class.getName(), List.of(arguments))
                .start(folder);
    }

    @Test
    void aChildIsHeardAndRunsToItsEnd() throws Exception {
        Child child = start("one", "two");
        assertTrue(child.awaitLine("ready", HangRule.after(LONG)));
        child.send("this");
        assertTrue(child.awaitLine("got this", HangRule.after(LONG)));
        child.send("end");
        assertEquals(new Child.End(2, false), child.await(HangRule.after(LONG)));
        assertEquals(List.of("ready", "got this"), child.output());
    }

    @Test
    void aChildThatEndsNeverPrintsALine() throws Exception {
        Child child = start();
        child.send("end");
        assertFalse(child.awaitLine("got end", HangRule.after(LONG)));
        assertTrue(child.await(HangRule.after(LONG)).isGood());
    }

    @Test
    void aChildThatHangsShowsItsStacksAndIsKilled() throws Exception {
        Child child = start();
        assertTrue(child.awaitLine("ready", HangRule.after(LONG)));
        assertFalse(child.awaitLine("more", any -> true));
        Child.End end = child.await(any -> true);
        assertTrue(end.hung());
        assertFalse(end.isGood());
        assertTrue(String.join("\n", child.output()).contains("Full thread dump"), child.output().toString());
        assertFalse(ProcessHandle.of(child.pid()).map(ProcessHandle::isAlive).orElse(false));
    }
}
