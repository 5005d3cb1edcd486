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
/**
 * The programs that the JVM tests run in child processes. Each tests one idea, checks itself, and says so in
 * its last line ({@link org.ztera.jvmtests.child.Child}).
 *
 * <p>What must be able to die is reached from static fields and built in methods of their own, since an
 * interpreter frame may keep alive what a local variable once held; and it refers to nothing that the JDK
 * shares, such as interned strings and cached boxes, since such an object would keep its region alive.
 */
package org.ztera.jvmtests.child;
