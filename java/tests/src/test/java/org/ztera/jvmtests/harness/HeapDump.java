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
package org.ztera.jvmtests.harness;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contents of a heap dump (hprof, 8-byte identifiers): instances by class, objects that occur twice, and
 * references to objects that do not occur. Reads a whole small dump into memory; no more than the tests need.
 */
public final class HeapDump {
    private static final int UTF8 = 0x01;
    private static final int LOAD_CLASS = 0x02;
    private static final int HEAP_DUMP = 0x0C;
    private static final int HEAP_DUMP_SEGMENT = 0x1C;
    private static final int OBJECT = 2;
    /** Bytes of a value by its type code; 2 is a reference. */
    private static final int[] SIZES = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};

    private final Map<Long, String> strings = new HashMap<>();
    private final Map<Long, String> classNames = new HashMap<>();
    private final Map<Long, ClassLayout> layouts = new HashMap<>();
    private final List<Instance> instances = new ArrayList<>();
    private final Set<Long> objects = new HashSet<>();
    private final List<ObjectArray> arrays = new ArrayList<>();
    private final List<Long> twice = new ArrayList<>();

    private record ClassLayout(long superclass, int[] fieldTypes) {}

    private record Instance(long layout, byte[] fields) {}

    private record ObjectArray(long arrayClass, long[] elements) {}

    private HeapDump() {}

    /** Reads a dump. */
    public static HeapDump read(Path file) {
        HeapDump dump = new HeapDump();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            dump.file(in);
        } catch (IOException e) {
            throw new AssertionError("cannot read the heap dump " + file, e);
        }
        return dump;
    }

    /** Instances of a class. */
    public long count(Class<?> c) {
        String name = c.getName().replace('.', '/');
        return instances.stream().filter(i -> name.equals(classNames.get(i.layout))).count();
    }

    /** Objects that the dump contains more than once. */
    public List<Long> duplicates() {
        return twice;
    }

    /**
     * References to what the dump does not contain, from instances of these classes or from arrays of them.
     * (Others may refer to mirrors of classes that were never linked, which no dump contains.)
     */
    public Set<Long> dangling(Class<?>... owners) {
        Set<Long> missing = new HashSet<>();
        for (Class<?> c : owners) {
            String name = c.getName().replace('.', '/');
            instances.stream().filter(i -> name.equals(classNames.get(i.layout))).forEach(i -> references(i, missing));
            arrays.stream().filter(a -> ("[L" + name + ";").equals(classNames.get(a.arrayClass)))
                    .forEach(a -> Arrays.stream(a.elements).forEach(missing::add));
        }
        check(missing.size() > owners.length, "the owners refer to something");
        missing.remove(0L);
        missing.removeAll(objects);
        return missing;
    }

    private void file(DataInputStream in) throws IOException {
        StringBuilder magic = new StringBuilder();
        for (int c = in.read(); c > 0; c = in.read()) {
            magic.append((char) c);
        }
        check(magic.toString().startsWith("JAVA PROFILE 1.0."), "header '" + magic + "'");
        check(in.readInt() == 8, "8-byte identifiers");
        in.readLong();
        for (int tag = in.read(); tag >= 0; tag = in.read()) {
            in.readInt();
            long length = in.readInt() & 0xffffffffL;
            switch (tag) {
                case UTF8 -> strings.put(in.readLong(), new String(in.readNBytes((int) length - 8)));
                case LOAD_CLASS -> {
                    in.readInt();
                    long id = in.readLong();
                    in.readInt();
                    classNames.put(id, strings.get(in.readLong()));
                }
                case HEAP_DUMP, HEAP_DUMP_SEGMENT -> segment(in, length);
                default -> in.skipNBytes(length);
            }
        }
    }

    private void segment(DataInputStream in, long left) throws IOException {
        while (left > 0) {
            int tag = in.readUnsignedByte();
            left -= 1 + switch (tag) {
                case 0xFF, 0x05, 0x07 -> skip(in, 8);
                case 0x01 -> skip(in, 16);
                case 0x02, 0x03, 0x08 -> skip(in, 16);
                case 0x04, 0x06 -> skip(in, 12);
                case 0x20 -> classDump(in);
                case 0x21 -> instance(in);
                case 0x22 -> objectArray(in);
                case 0x23 -> primitiveArray(in);
                default -> throw new IOException("unknown heap dump record " + tag);
            };
        }
        check(left == 0, "length of a segment");
    }

    private static long skip(DataInputStream in, long n) throws IOException {
        in.skipNBytes(n);
        return n;
    }

    private long classDump(DataInputStream in) throws IOException {
        long id = object(in.readLong());
        in.readInt();
        long superclass = in.readLong();
        in.skipNBytes(5 * 8 + 4);
        long length = 8 + 4 + 8 + 8 + 4 * 8 + 4;
        int constants = in.readUnsignedShort();
        check(constants == 0, "no constant pool in a class dump");
        int statics = in.readUnsignedShort();
        length += 4;
        for (int i = 0; i < statics; i++) {
            in.readLong();
            int type = in.readUnsignedByte();
            in.skipNBytes(SIZES[type]);
            length += 9 + SIZES[type];
        }
        int[] fields = new int[in.readUnsignedShort()];
        for (int i = 0; i < fields.length; i++) {
            in.readLong();
            fields[i] = in.readUnsignedByte();
        }
        layouts.put(id, new ClassLayout(superclass, fields));
        return length + 2 + 9L * fields.length;
    }

    private long instance(DataInputStream in) throws IOException {
        object(in.readLong());
        in.readInt();
        long layout = in.readLong();
        byte[] fields = in.readNBytes(in.readInt());
        instances.add(new Instance(layout, fields));
        return 24 + fields.length;
    }

    private long objectArray(DataInputStream in) throws IOException {
        object(in.readLong());
        in.readInt();
        int n = in.readInt();
        long arrayClass = in.readLong();
        long[] elements = new long[n];
        for (int i = 0; i < n; i++) {
            elements[i] = in.readLong();
        }
        arrays.add(new ObjectArray(arrayClass, elements));
        return 24 + 8L * n;
    }

    private long primitiveArray(DataInputStream in) throws IOException {
        object(in.readLong());
        in.readInt();
        int n = in.readInt();
        long bytes = (long) n * SIZES[in.readUnsignedByte()];
        in.skipNBytes(bytes);
        return 17 + bytes;
    }

    private long object(long id) {
        if (!objects.add(id)) {
            twice.add(id);
        }
        return id;
    }

    /** The fields of an instance: those of its class first, then its superclass's, and so on. */
    private void references(Instance i, Set<Long> into) {
        ByteBuffer fields = ByteBuffer.wrap(i.fields);
        for (ClassLayout c = layouts.get(i.layout); c != null; c = layouts.get(c.superclass)) {
            for (int type : c.fieldTypes) {
                if (type == OBJECT) {
                    into.add(fields.getLong());
                } else {
                    fields.position(fields.position() + SIZES[type]);
                }
            }
        }
        check(!fields.hasRemaining(), "fields of an instance of " + classNames.get(i.layout));
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("heap dump is not as expected: " + what);
        }
    }
}
