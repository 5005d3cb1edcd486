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
package org.ztera;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Libraries that know nothing of each other numbered their groups from 0, and theirs became one. */
class H2GroupTest {
    private static final int MANY = 100_000;

    @Test
    void aNameIsOneGroup() {
        H2Group group = H2.group("a/b");
        assertEquals(group, H2.group("a/b"));
        assertEquals(group.hashCode(), H2.group("a/b").hashCode());
        assertEquals(group.label(), H2.group("a/b").label());
        assertEquals("a/b", group.name());
        assertEquals("a/b#3", group.part(3).name());
        assertEquals(group.part(3), H2.group("a/b").part(3));
        assertNotEquals(group, H2.group("a/c"));
        assertNotEquals(group, group.part(0));
    }

    /** Names, their parts, and parts of these, as labels. Small numbers are the program's own. */
    @Test
    void noTwoGroupsMeet() {
        Set<Long> labels = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            labels.add(H2.group("library " + i).label());
            labels.add(H2.group("one library").part(i).label());
            labels.add(H2.group("another").part(i).label());
            labels.add(H2.group("another").part(0).part(i).label());
        }
        assertEquals(4 * MANY, labels.size());
        assertTrue(labels.stream().allMatch(label -> label >= 1L << 62), "numbers below are the program's");
    }

    /** Names were hashed by MD5, which Java on certified systems does not have: groups could not be named there. */
    @Test
    void namesNeedNoMd5() throws Exception {
        Provider sun = Security.getProvider("SUN");
        Provider certified = new Provider(sun.getName(), sun.getVersionStr(), "without MD5") { };
        sun.forEach((key, value) -> certified.put(key, value));
        certified.remove("MessageDigest.MD5");
        Security.removeProvider(sun.getName());
        Security.insertProviderAt(certified, 1);
        try {
            assertThrows(NoSuchAlgorithmException.class, () -> MessageDigest.getInstance("MD5"));
            // The first eight bytes of the name's SHA-256, without the two highest bits, and with bit 62 set.
            assertEquals(0x414CDDC033F64B9DL, H2.group("a/b").label());
        } finally {
            Security.removeProvider(certified.getName());
            Security.insertProviderAt(sun, 1);
        }
    }

    @Test
    void partsInARowHaveLabelsInARow() {
        H2Group group = H2.group("rows");
        assertEquals(group.part(7).label() + 1, group.part(8).label());
        assertTrue(group.part(Long.MAX_VALUE).label() > 0);
    }

    /** Two libraries may each bring the API, in class loaders of their own. The JVM is one. */
    @Test
    void otherClassLoadersMeanTheSameGroup() throws Exception {
        URL[] api = {H2.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader other = new URLClassLoader(api, null)) {
            Object group = other.loadClass("org.ztera.H2").getMethod("group", String.class).invoke(null, "shared");
            assertNotEquals(H2Group.class, group.getClass());
            assertEquals(H2.group("shared").label(), group.getClass().getMethod("label").invoke(group));
        }
    }
}
