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

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ztera.kit.Tools;

/** A small file system of its own in a file, mounted or not. It takes root and a loop device. */
public final class LoopDisk implements AutoCloseable {
    private final Path image;
    private final Path path;
    private final List<String> end;

    private LoopDisk(Path image, Path path, String... end) {
        this.image = image;
        this.path = path;
        this.end = List.of(end);
    }

    /**
     * Mounts one at a new directory below the given one.
     *
     * @throws IOException if this user or this kernel cannot; the message says why
     */
    public static LoopDisk mount(Path directory, long bytes) throws IOException {
        Path image = make(directory, bytes);
        Path mounted = Files.createDirectories(directory.resolve("disk").toAbsolutePath());
        run("mount", "-o", "loop", image.toString(), mounted.toString());
        return new LoopDisk(image, mounted, "umount", mounted.toString());
    }

    /**
     * A block device with a file system that nobody has mounted.
     *
     * @throws IOException if this user or this kernel cannot; the message says why
     */
    public static LoopDisk attach(Path directory, long bytes) throws IOException {
        Path image = make(directory, bytes);
        String device = run("losetup", "--find", "--show", image.toString()).strip();
        return new LoopDisk(image, Path.of(device), "losetup", "--detach", device);
    }

    private static Path make(Path directory, long bytes) throws IOException {
        Path image = directory.resolve("disk.img").toAbsolutePath();
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        run("mkfs.ext4", "-q", "-F", image.toString());
        return image;
    }

    /** Where it is mounted, or the device. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        run(end.toArray(String[]::new));
        Files.delete(image);
    }

    private static String run(String... command) throws IOException {
        try {
            return Tools.run(List.of(command));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
