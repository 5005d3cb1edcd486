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
package org.ztera.fuzz.gen;

import static org.ztera.fuzz.gen.Feature.cold;

import java.util.List;

/** Collections, groups that are tagged, moved and dropped, and checksums. */
final class GroupFeatures {
    private GroupFeatures() {}

    static List<Feature> all() {
        return List.of(
                cold("full collection", 5, u -> "f.gc();"),
                cold("young collection", 9, u -> "f.garbage(@0);", 24_000),
                cold("tag", 10, GroupFeatures::tag),
                cold("move", 4, u -> "H2.move(" + u.label() + ");"),
                cold("move now", 6, u -> "H2.moveNow(" + u.label() + ");"),
                cold("give back", 4, u -> "f.giveBack(" + u.label() + ");"),
                cold("tag and move now", 10, GroupFeatures::tagAndMove),
                cold("moved twice", 2, u -> tagAndMove(u) + tagAndMove(u)),
                cold("tag the program", 3, u -> "f.tag(this, %d);\nH2.move(%1$d);".formatted(u.label())),
                cold("drop", 4, GroupFeatures::drop),
                cold("checksum", 8, u -> "f.checksum(this);"),
                cold("content", 4, u -> "f.content(this);"),
                cold("trace", 3, u -> "f.trace(\"acc\", acc);"),
                cold("mortal group", 2, u -> "f.mortal(@0);" + (u.oneIn(2) ? "" : "\nf.garbage(300);\nf.dropMortals();"), 3000));
    }

    /** Those that choose what moves. */
    static List<Feature> tags() {
        return all().stream().filter(f -> f.name().contains("tag")).toList();
    }

    private static String tag(Universe u) {
        return tag(u, u.label());
    }

    private static String tagAndMove(Universe u) {
        int label = u.label();
        return tag(u, label) + "H2.moveNow(" + label + ");\n";
    }

    /** Several roots of one group, some of them at times of another group before. */
    private static String tag(Universe u, int label) {
        StringBuilder code = new StringBuilder();
        for (int i = u.random.nextInt(1, 6); i > 0; i--) {
            code.append("f.tag(%s, %d);\n".formatted(u.reference().name(), u.oneIn(20) ? u.label() : label));
        }
        return code.toString();
    }

    /** Several slots at once, so that whole groups become unreachable. */
    private static String drop(Universe u) {
        StringBuilder code = new StringBuilder();
        for (int i = u.random.nextInt(1, 8); i > 0; i--) {
            code.append(u.reference().name()).append(" = null;\n");
        }
        return code.toString();
    }
}
