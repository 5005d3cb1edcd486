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
package org.ztera.spark;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SparkVersionTest {
    @Test
    void theVersionInUseIsSupported() {
        assertDoesNotThrow(() -> SparkInternals.checkVersion());
    }

    @Test
    void anotherVersionIsRefusedWithThoseThatAreSupported() {
        for (String version : new String[] {"3.5.8", "4.0.1", "4.20.0", "4.30.0", "5.0.0"}) {
            String message = assertThrows(IllegalStateException.class, () -> SparkInternals.checkVersion(version)).getMessage();
            assertTrue(message.contains("supports Spark 4.1, 4.2, 4.3,") && message.contains(version), message);
        }
    }
}
