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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A standalone master and its workers, each a process on this machine with free ports of its own. */
final class StandaloneCluster implements AutoCloseable {
    private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final long HANG_SECONDS = 300;

    private final Path folder;
    private final List<Process> workers = new ArrayList<>();
    private final Process master;
    private final String address;

    /** Workers of one core and 1 GiB each. */
    StandaloneCluster(String name, int workerCount) throws IOException, InterruptedException {
        this(name, workerCount, 1, List.of());
    }

    /** One worker with room for two executors. All three are in the container that the program enters. */
    static StandaloneCluster inContainer(String name, Path entrance) throws IOException, InterruptedException {
        return new StandaloneCluster(name, 1, 2, List.of(entrance.toString()));
    }

    private StandaloneCluster(String name, int workerCount, int cores, List<String> entrance) throws IOException, InterruptedException {
        folder = SparkRun.folder(name);
        master = start(List.of(), "master", "org.apache.spark.deploy.master.Master", "--host", "localhost", "--port", "0", "--webui-port", "0");
        try {
            address = awaitAddress();
            for (int i = 0; i < workerCount; i++) {
                workers.add(start(entrance, "worker" + i, "org.apache.spark.deploy.worker.Worker", "--host", "localhost", "--port", "0",
                        "--webui-port", "0", "--cores", Integer.toString(cores), "--memory", cores + "g",
                        "--work-dir", folder.resolve("work" + i).toString(), address));
            }
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private Process start(List<String> before, String role, String... program) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(SparkRun.script("spark-class"));
        command.addAll(List.of(program));
        ProcessBuilder builder = SparkRun.process(folder, SparkRun.ZTERA, command).redirectOutput(log(role).toFile());
        builder.environment().put("SPARK_DAEMON_MEMORY", "256m");
        // A lost process closes its connection at once. One that is only slow must not count as lost.
        builder.environment().put("SPARK_MASTER_OPTS", "-Dspark.worker.timeout=" + HANG_SECONDS);
        return builder.start();
    }

    private Path log(String role) {
        return folder.resolve(role + ".txt");
    }

    private String awaitAddress() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
        while (master.isAlive() && System.nanoTime() < end) {
            Matcher found = MASTER.matcher(Files.readString(log("master")));
            if (found.find()) {
                return found.group(1);
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the master does not start:\n" + Files.readString(log("master")));
    }

    /** For {@code --master}. */
    String address() {
        return address;
    }

    /** Workers whose process is still there. */
    long workersAlive() {
        return workers.stream().filter(Process::isAlive).count();
    }

    @Override
    public void close() {
        List<Process> all = new ArrayList<>(workers);
        all.add(master);
        all.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        all.forEach(Process::destroyForcibly);
        all.forEach(process -> process.onExit().join());
    }
}
