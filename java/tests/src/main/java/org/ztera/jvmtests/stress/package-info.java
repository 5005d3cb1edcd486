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
 * A long random run against a model. {@link org.ztera.jvmtests.stress.Mutator} threads change their
 * {@link org.ztera.jvmtests.stress.World}s of {@link org.ztera.jvmtests.stress.Cell}s, and each change is made a
 * second time in a {@link org.ztera.jvmtests.stress.Shadow} of primitive arrays, with which a
 * {@link org.ztera.jvmtests.stress.Walk} compares all that is reachable.
 */
package org.ztera.jvmtests.stress;
