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
package org.ztera.lab.web;

import java.util.SplittableRandom;

/** Texts that compress about as well as those of real applications. */
final class Texts {
    private static final String[] SYLLABLES =
        {"ka", "ro", "mi", "ten", "sol", "ba", "lin", "du", "per", "no", "va", "este", "gor", "il", "um", "fa"};
    private static final int WORDS = 4_000;

    private final String[] words = new String[WORDS];

    /** With a vocabulary of this seed. */
    Texts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < WORDS; i++) {
            StringBuilder word = new StringBuilder();
            for (int left = random.nextInt(2, 5); left > 0; left--) {
                word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
            }
            words[i] = word.toString();
        }
    }

    /** So many words. Some are used much more often than others. */
    String text(SplittableRandom random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            double skewed = random.nextDouble() * random.nextDouble();
            text.append(i > 0 ? " " : "").append(words[(int) (skewed * WORDS)]);
        }
        return text.toString();
    }
}
