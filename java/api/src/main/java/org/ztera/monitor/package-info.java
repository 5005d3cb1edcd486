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
 * Shows the second heap where operators look: in JMX and in recordings of Flight Recorder. A program need not use it:
 * {@code -javaagent:ztera-api.jar} starts it, and so does {@code jcmd PID JVMTI.agent_load ztera-api.jar} later.
 */
package org.ztera.monitor;
