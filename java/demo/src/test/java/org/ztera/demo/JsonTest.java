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

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void membersAreInTheirOrder() {
        Json inner = new Json().put("far", true);
        Json json = new Json().put("a", 1).raw("b", "{\"c\":[2]}").put("d", "\"x\\").put("e", 0.5).put("f", inner);
        assertEquals("{\"a\":1,\"b\":{\"c\":[2]},\"d\":\"\\\"x\\\\\",\"e\":0.500000,\"f\":{\"far\":true}}", json.toString());
    }
}
