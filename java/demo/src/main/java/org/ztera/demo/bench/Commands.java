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
package org.ztera.demo.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.ztera.H2;
import org.ztera.demo.Json;

/** Commands from standard input, one a line, and an answer to each: one line of JSON. */
final class Commands {
    /** Carries out a command, given as its words. */
    interface Handler {
        Json run(String[] command) throws Exception;
    }

    private Commands() {
    }

    /** Until standard input ends. */
    static void answer(Handler handler) throws Exception {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(handler.run(line.split(" ")));
        }
    }

    /** Waits until all of the second heap is compressed. */
    static void settle() throws InterruptedException {
        while (H2.stats().stagedBytes() > 0) {
            Thread.sleep(1);
        }
    }
}
