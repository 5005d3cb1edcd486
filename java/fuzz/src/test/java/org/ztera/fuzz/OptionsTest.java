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
package org.ztera.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A seed alone repeats nothing: how many programs and modes a batch has decides which they are. */
class OptionsTest {
    /** The Makefile's form of such a command: a variable's value, or all of its words. */
    private static Options made(String command) {
        String seed = command.replaceAll(".* SEED=(\\S+).*", "$1");
        String minutes = command.contains("MINUTES=") ? command.replaceAll(".* MINUTES=(\\S+).*", "$1") : "10";
        String only = command.contains("ONLY=") ? "--only " + command.replaceAll(".* ONLY=(\\S+).*", "$1 ") : "";
        String more = command.replaceAll(".*FUZZ=\"(.*)\"", "$1");
        return Options.parse(("--minutes " + minutes + " --seed " + seed + " " + only + more).split(" +"));
    }

    @Test
    void aRunThatTimeEndedIsRepeatedWithAsManyPrograms() {
        String again = Options.parse("--minutes", "7", "--seed", "42", "--batch", "60", "--modes", "1").again(9);
        assertEquals("make fuzz MINUTES=0 SEED=42 FUZZ=\"--programs 540 --batch 60 --modes 1\"", again);
        assertEquals(0, made(again).minutes);
        assertEquals(again, made(again).again(9));
    }

    @Test
    void whateverChoosesModesIsRepeated() {
        String again = Options.parse("--programs", "70", "--seed", "-3", "--spread", "12", "--mode", "c2,debug", "--self", "--flag", "-Da=b")
                .again(2);
        assertEquals("make fuzz MINUTES=0 SEED=-3 FUZZ=\"--programs 70 --batch 40 --modes 2 --spread 12"
                + " --mode c2,narrow,lz4,small,threads1,debug --self --flag -Da=b\"", again);
        assertEquals(again, made(again).again(2));
    }

    @Test
    void aBatchIsRepeatedAsLongAsItWas() {
        Options o = Options.parse("--programs", "70", "--seed", "5");
        String again = o.againOnly(1);
        assertEquals("make fuzz SEED=5 ONLY=1 FUZZ=\"--programs 70 --batch 40 --modes 2\"", again);
        assertEquals(again, made(again).again(1));
    }
}
