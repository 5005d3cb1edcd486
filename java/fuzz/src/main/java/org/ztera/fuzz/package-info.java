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
 * The differential fuzzer. {@link org.ztera.fuzz.gen} makes programs from seeds, {@link org.ztera.fuzz.program} is what
 * they are before they are Java, {@link org.ztera.fuzz.run} runs them on a stock JVM and on a ZTera JVM in many modes
 * and compares what they observe, with the library {@link org.ztera.fuzz.rt} in the child JVMs; {@link
 * org.ztera.fuzz.shrink} makes what fails small. {@link org.ztera.fuzz.Main} is the command.
 */
package org.ztera.fuzz;
