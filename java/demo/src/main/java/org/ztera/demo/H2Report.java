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
package org.ztera.demo;

import org.ztera.H2;

/** {@link H2.Stats} as JSON, under the names of its methods. */
public final class H2Report {
    private H2Report() {
    }

    /** @return an object with one member per number */
    public static Json json(H2.Stats stats) {
        Json json = new Json();
        stats.byName().forEach(json::put);
        return json;
    }
}
