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
package org.ztera.demo.tiers;

import java.util.function.LongConsumer;
import org.ztera.H2;

/** The words that a program has for the second heap: labels for its groups, or none at all. */
public interface Hints {
    /** Those of a program that knows nothing of a second heap. */
    Hints NONE = new Hints() {
        @Override
        public void tag(Object root, long label) {
        }

        @Override
        public void move(long label) {
        }
    };

    /** All that the root refers to belongs together. */
    void tag(Object root, long label);

    /** The label's groups may move. */
    void move(long label);

    /** Tags, and the given way to ask for a move. */
    static Hints tags(LongConsumer move) {
        return new Hints() {
            @Override
            public void tag(Object root, long label) {
                H2.tag(root, label);
            }

            @Override
            public void move(long label) {
                move.accept(label);
            }
        };
    }
}
