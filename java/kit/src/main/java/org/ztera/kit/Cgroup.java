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
package org.ztera.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A memory cgroup of version 1 or 2 with a limit and without swap. Closing it ends the processes in it and removes it.
 * Creating one takes root.
 */
public final class Cgroup implements AutoCloseable {
    /** Half a minute: a killed JVM stays in its group until it has given its memory back, which takes seconds. */
    private static final int PATIENCE = 1500;
    private static final long POLL_MILLIS = 20;
    private static final AtomicInteger CREATED = new AtomicInteger();

    private final Path folder;

    private Cgroup(Path folder) {
        this.folder = folder;
    }

    /**
     * Creates a group below that of this process, or further up where that may not have any. Its path ends with
     * {@code name} and a number, so tests that run at the same time may give the same name.
     *
     * @throws IOException if there can be none; the message says why
     */
    public static Cgroup create(String name, long limitBytes) throws IOException {
        IOException failure = new IOException("no memory controller is mounted");
        String unique = "ztera-%d-%s-%d".formatted(ProcessHandle.current().pid(), name, CREATED.incrementAndGet());
        for (Path above : places()) {
            Cgroup group = new Cgroup(above.resolve(unique));
            try {
                group.set(limitBytes);
                return group;
            } catch (IOException e) {
                Files.deleteIfExists(group.folder);
                failure = e;
            }
        }
        throw failure;
    }

    private void set(long limitBytes) throws IOException {
        Path controllers = folder.resolveSibling("cgroup.subtree_control");
        boolean isVersion2 = Files.exists(controllers);
        if (isVersion2 && !Files.readString(controllers).contains("memory")) {
            Files.writeString(controllers, "+memory");
        }
        Files.createDirectory(folder);
        Files.writeString(folder.resolve(isVersion2 ? "memory.max" : "memory.limit_in_bytes"), Long.toString(limitBytes));
        Path swap = folder.resolve(isVersion2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
        if (Files.exists(swap)) {
            Files.writeString(swap, isVersion2 ? "0" : Long.toString(limitBytes));
        }
    }

    /** The group of this process and those above it. */
    private static List<Path> places() throws IOException {
        Path root = Path.of("/sys/fs/cgroup");
        String own = "";
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts[1].equals("memory")) {
                root = root.resolve("memory");
                own = parts[2];
                break;
            }
            own = parts[0].equals("0") ? parts[2] : own;
        }
        List<Path> places = new ArrayList<>();
        for (Path p = Path.of(root + own).normalize(); p.startsWith(root); p = p.getParent()) {
            places.add(p);
        }
        return places;
    }

    /**
     * Lowers the limit. In version 1 the kernel does that only once the processes use less, so this asks again.
     *
     * @throws IOException if the processes keep more
     */
    public void lower(long limitBytes) throws IOException {
        Path version2 = folder.resolve("memory.max");
        Path file = Files.exists(version2) ? version2 : folder.resolve("memory.limit_in_bytes");
        for (int i = 0;; i++) {
            try {
                Files.writeString(file, Long.toString(limitBytes));
                return;
            } catch (IOException e) {
                if (i == PATIENCE) {
                    throw e;
                }
                pause();
            }
        }
    }

    /**
     * Raises the limit.
     *
     * @throws IOException if the kernel refuses
     */
    public void raise(long limitBytes) throws IOException {
        Path version2 = folder.resolve("memory.max");
        Path swap = folder.resolve("memory.memsw.limit_in_bytes");
        if (Files.exists(swap)) {
            Files.writeString(swap, Long.toString(limitBytes)); // never below the limit of memory
        }
        Files.writeString(Files.exists(version2) ? version2 : folder.resolve("memory.limit_in_bytes"), Long.toString(limitBytes));
    }

    /**
     * Writes a program that runs its arguments, as a command, in the group. The command has more of the CPUs than
     * others, where the system allows that. Else the kernel kills it now and then while other suites keep them busy.
     */
    public Path entrance(Path directory) throws IOException {
        Path program = directory.resolve("in-cgroup.sh");
        Files.writeString(program, "#!/bin/sh -e\necho 0 > " + folder.resolve("cgroup.procs") + "\nexec nice -n -10 \"$@\"\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** How many processes the kernel has killed because the limit was reached. */
    public long kills() throws IOException {
        Path events = folder.resolve("memory.events");
        Path file = Files.exists(events) ? events : folder.resolve("memory.oom_control");
        return Files.readAllLines(file).stream().filter(line -> line.startsWith("oom_kill ")).mapToLong(line -> Long.parseLong(line.split(" ")[1]))
                .sum();
    }

    @Override
    public void close() throws IOException {
        Path processes = folder.resolve("cgroup.procs");
        for (int i = 0;; i++) {
            for (String id : Files.readAllLines(processes)) {
                ProcessHandle.of(Long.parseLong(id)).ifPresent(ProcessHandle::destroyForcibly);
            }
            try {
                // Not its files: the kernel removes them with it.
                Files.delete(folder);
                return;
            } catch (IOException e) {
                if (i == PATIENCE) {
                    throw e;
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
