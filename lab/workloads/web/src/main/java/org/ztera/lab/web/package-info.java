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
 * Two web applications, small cousins of DayTrader and AcmeAir, for the experiment {@code oversubscription}.
 *
 * <pre>
 *  Main: arguments -> Server: Tomcat -> Application: Trading (sessions) or Booking (none) -> Database: SQL in memory
 * </pre>
 */
package org.ztera.lab.web;
