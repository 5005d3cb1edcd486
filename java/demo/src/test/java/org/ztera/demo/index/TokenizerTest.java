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
package org.ztera.demo.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenizerTest {
    @Test
    void namesWithTheirPlaces() {
        assertEquals(
                List.of("fooBar@1:1", "_x1@1:8", "baz@2:3"), tokens("fooBar=_x1;\n  baz"));
    }

    @Test
    void numbersAndTheirSuffixesAreNoNames() {
        assertEquals(List.of("xy@1:12"), tokens("0x1Fab 12L xy"));
    }

    @Test
    void stopWordsAndSingleLettersAreLeftOut() {
        assertEquals(List.of("mapped@1:16"), tokens("public class A mapped"));
    }

    @Test
    void lettersOfOtherScripts() {
        assertEquals(List.of("größe@1:1", "数字@1:7"), tokens("größe 数字"));
    }

    @Test
    void emptyText() {
        assertEquals(List.of(), tokens(""));
    }

    private static List<String> tokens(String text) {
        Tokenizer tokenizer = new Tokenizer(text);
        List<String> found = new ArrayList<>();
        for (String name = tokenizer.next(); name != null; name = tokenizer.next()) {
            found.add(name + "@" + tokenizer.line() + ":" + tokenizer.column());
        }
        return found;
    }
}
