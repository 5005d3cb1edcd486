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
package org.ztera.demo.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ztera.demo.SmallTree;
import org.ztera.demo.source.ShardPlan;
import org.ztera.demo.source.SourceTree;

/**
 * All that a shard reaches moves to the second heap, so it must be the shard's own. The demo once
 * shared the names of files with its list of source files: each region then held a string that the list
 * still used, and no region ever died.
 */
class ShardClosureTest {
    @TempDir
    Path dir;

    private List<ShardPlan.Area> areas;
    private final List<Set<Object>> closures = new ArrayList<>();

    @BeforeEach
    void build() throws Exception {
        SmallTree.create(dir);
        areas = ShardPlan.of(SourceTree.list(dir), 50, Long.MAX_VALUE);
        for (ShardPlan.Area area : areas) {
            for (ShardPlan.Part part : area.parts()) {
                closures.add(closure(new ShardBuilder().build(part, 1, _ -> {})));
            }
        }
        assertTrue(closures.size() > 3);
    }

    @Test
    void aShardReachesItsOwnKindsOfObjectsOnly() throws Exception {
        Set<String> expected = new TreeSet<>();
        for (Class<?> kind : List.of(
                Shard.class, TrigramIndex.class, FileRecord.class, Symbol.class, Position.class, String.class,
                Integer.class, ArrayList.class, HashMap.class, Object[].class, byte[].class, int[].class)) {
            expected.add(kind.getName());
        }
        expected.add("java.util.HashMap$Node");
        expected.add("java.util.HashMap$Values");
        expected.add("[Ljava.util.HashMap$Node;");
        Set<String> found = new TreeSet<>();
        closures.forEach(closure -> closure.forEach(object -> found.add(object.getClass().getName())));
        assertEquals(expected, found);
    }

    @Test
    void shardsShareNothing() {
        Set<Object> all = identitySet();
        for (Set<Object> closure : closures) {
            for (Object object : closure) {
                assertTrue(all.add(object), () -> object.getClass() + " is in two shards: " + object);
            }
        }
    }

    @Test
    void shardsShareNothingWithTheListOfFilesOrTheJdk() throws Exception {
        Set<Object> foreign = identitySet();
        for (ShardPlan.Area area : areas) {
            foreign.addAll(closure(area.name()));
            for (ShardPlan.Part part : area.parts()) {
                foreign.addAll(closure(part.first()));
                foreign.addAll(closure(part.last()));
                for (var file : part.files()) {
                    foreign.addAll(closure(file.name()));
                }
            }
        }
        foreign.addAll(closure(""));
        for (int small = -128; small < 128; small++) {
            foreign.add(small);
        }
        for (Set<Object> closure : closures) {
            for (Object object : closure) {
                assertFalse(foreign.contains(object), () -> object.getClass() + " is not the shard's own: " + object);
            }
        }
    }

    private static Set<Object> closure(Object root) throws IllegalAccessException {
        Set<Object> seen = identitySet();
        Deque<Object> open = new ArrayDeque<>();
        reach(root, seen, open);
        while (!open.isEmpty()) {
            Object object = open.pop();
            if (object instanceof Object[] array) {
                for (int i = 0; i < Array.getLength(array); i++) {
                    reach(array[i], seen, open);
                }
            }
            for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                        field.setAccessible(true);
                        reach(field.get(object), seen, open);
                    }
                }
            }
        }
        return seen;
    }

    private static void reach(Object object, Set<Object> seen, Deque<Object> open) {
        if (object != null && seen.add(object)) {
            open.push(object);
        }
    }

    private static Set<Object> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }
}
