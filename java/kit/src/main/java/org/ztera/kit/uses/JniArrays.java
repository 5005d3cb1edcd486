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
package org.ztera.kit.uses;

/** JNI functions on arrays; {@code uses.c} among the resources has the bodies. */
final class JniArrays {
    private JniArrays() {}

    static native void critical(byte[] from, byte[] into, int length);

    static native void byKernel(byte[] from, byte[] into, int length);

    static native void elements(byte[] from, byte[] into, int length);

    static native void region(byte[] from, byte[] into, int length);
}
