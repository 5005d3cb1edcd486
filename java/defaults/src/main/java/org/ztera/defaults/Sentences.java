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

/** Invented sentences, out of which texts are made faster than word by word. */
final class Sentences {
    private static final int WORDS = 12;

    private final String[] sentences;

    Sentences(SplittableRandom random, Words words, int count) {
        sentences = new String[count];
        for (int i = 0; i < count; i++) {
            sentences[i] = words.text(random, WORDS) + ". ";
        }
    }

    /** So many sentences, in a new string. */
    String text(SplittableRandom random, int count) {
        StringBuilder text = new StringBuilder(count * WORDS * 7);
        for (int i = 0; i < count; i++) {
            text.append(sentences[random.nextInt(sentences.length)]);
        }
        return text.toString();
    }
}
