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
package org.ztera.defaults;

import java.util.SplittableRandom;

/** Invented words, of which few occur mostly, as in text. */
final class Words {
    private static final String VOWELS = "aeiou";
    private static final String CONSONANTS = "bcdfghklmnprstvw";

    private final String[] words;

    Words(SplittableRandom random, int count) {
        words = new String[count];
        for (int i = 0; i < count; i++) {
            words[i] = word(random);
        }
    }

    private static String word(SplittableRandom random) {
        StringBuilder word = new StringBuilder();
        for (int syllable = 1 + random.nextInt(4); syllable > 0; syllable--) {
            word.append(CONSONANTS.charAt(random.nextInt(CONSONANTS.length())));
            word.append(VOWELS.charAt(random.nextInt(VOWELS.length())));
        }
        return word.toString();
    }

    /** The k-th word is drawn about as often as 1/k says. */
    String pick(SplittableRandom random) {
        return words[(int) Math.pow(words.length, random.nextDouble()) - 1];
    }

    /** So many words with blanks between them, in a new string. */
    String text(SplittableRandom random, int count) {
        StringBuilder text = new StringBuilder(count * 7);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(pick(random));
        }
        return text.toString();
    }
}
