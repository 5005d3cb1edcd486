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
 * Uses of old objects besides reading and writing their fields. Native code gets their arrays, they own memory beside
 * the heap, weak references wait for their death, and libraries take the VM's signals. Each {@link
 * org.ztera.kit.uses.Use} checks its result, on any JVM. The soak test and the fuzzer share them.
 */
package org.ztera.kit.uses;
