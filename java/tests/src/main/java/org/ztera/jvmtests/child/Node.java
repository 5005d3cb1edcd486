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
package org.ztera.jvmtests.child;

/** An object of the test graphs: a value, two typed references and one of any type. */
public class Node {
    /** Identifies the node in checks. */
    public long value;
    /** Next in a list, left in a tree. */
    public Node left;
    /** Right in a tree. */
    public Node right;
    /** Anything. */
    public volatile Object payload;

    /** A node that refers to nothing. */
    public Node(long value) {
        this.value = value;
    }
}
