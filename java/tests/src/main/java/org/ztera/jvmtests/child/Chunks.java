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
package org.ztera.jvmtests.child;

import java.lang.reflect.Method;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Flight Recorder ends each chunk with its metadata: the VM itself gives a byte array of the Java heap to a system
 * call. Nothing that could be tagged refers to that array, so it is made here, as Flight Recorder does it (with
 * {@code --add-opens jdk.jfr/jdk.jfr.internal=ALL-UNNAMED}), and moved before Flight Recorder gets it.
 */
public final class Chunks {
    private Chunks() {}

    public static void main(String[] args) {
        Child.main(Chunks::test);
    }

    private static void test() throws Exception {
        Path file = Path.of("chunks.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.GarbageCollection");
            recording.start();
            store(Child.move(metadata(), 1));
            for (int i = 0; i < 3; i++) {
                Child.fullGc();
                recording.dump(file);
            }
        }
        long collections = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.GarbageCollection")).count();
        Child.check(collections >= 3, collections + " collections are recorded");
    }

    private static byte[] metadata() throws ReflectiveOperationException {
        Class<?> repository = Class.forName("jdk.jfr.internal.MetadataRepository");
        return (byte[]) open(repository, "getBinaryRepresentation").invoke(open(repository, "getInstance").invoke(null));
    }

    private static void store(byte[] metadata) throws ReflectiveOperationException {
        open(Class.forName("jdk.jfr.internal.JVM"), "storeMetadataDescriptor", byte[].class).invoke(null, metadata);
    }

    private static Method open(Class<?> owner, String name, Class<?>... parameters) throws NoSuchMethodException {
        Method method = owner.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
