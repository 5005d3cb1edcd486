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
 * The kit that tests of the JVM share. {@link org.ztera.kit.JavaHome} finds a JVM, {@link org.ztera.kit.Jvm} gives it
 * flags and a program, and {@link org.ztera.kit.OopMode} picks its object layout. {@link org.ztera.kit.Child} runs it,
 * and kills it when a {@link org.ztera.kit.HangRule} says that it hangs. The kit needs nothing but the JDK.
 */
package org.ztera.kit;
