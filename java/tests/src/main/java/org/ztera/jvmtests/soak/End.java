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
package org.ztera.jvmtests.soak;

import java.util.SplittableRandom;
import org.ztera.H2;
import org.ztera.jvmtests.child.H2Info;

/**
 * Failures that cannot be survived: the arguments are rules, and this VM is to end as soon as they show, with a reason,
 * and before anybody sees a wrong byte. {@code failures.sh} runs it.
 */
public final class End {
    private static final Group[] groups = new Group[8];

    private End() {}

    public static void main(String[] args) {
        for (int i = 0; i < groups.length; i++) {
            make(i);
        }
        check();
        if (H2Info.read().value("bd_count") == 0) {
            throw new AssertionError("nothing is on SSD, so this is no test");
        }
        System.out.println("END begins");
        Injection.rules(String.join("\n", args));
        for (int i = 0; i < 5; i++) {
            check();
            change();
            make(i);
        }
        System.out.println("END survived");
    }

    private static void make(int i) {
        groups[i] = new Group(i);
        H2.tag(groups[i].blocks, i);
        H2.moveNow(i);
    }

    private static void change() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            groups[random.nextInt(groups.length)].touch(random, groups[groups.length - 1]);
        }
    }

    private static void check() {
        for (Group group : groups) {
            group.check();
        }
    }
}
