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

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of spark-submit, as a user would start it; and what it printed. */
final class SparkRun {
    /** The JVM under test. */
    static final Path ZTERA = Path.of(System.getProperty("ztera.jdk"));
    /** A JVM without H2. */
    static final Path STOCK = Path.of(System.getProperty("ztera.stock.jdk"));

    private static final Path MODULE = Path.of(System.getProperty("ztera.spark.dir"));
    private static final Path TARGET = MODULE.resolve("target");
    private static final Path SPARK = TARGET.resolve("spark");
    /** A run takes some 30 seconds of CPU time; on a machine that does much else, that has been four minutes. */
    private static final long HANG_SECONDS = 900;
    /** Packages that spark-submit opens to Spark. */
    private static final List<String> OPENED = List.of("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio",
            "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs",
            "sun.util.calendar");
    private static final String FACT = "fact ";

    static {
        linkSpark(Path.of(System.getProperty("spark.home")));
    }

    private final int status;
    private final List<String> lines;

    private SparkRun(int status, List<String> lines) {
        this.status = status;
        this.lines = lines;
    }

    /** Workers write into SPARK_HOME, so the tests have one of their own; its parts are links. */
    private static void linkSpark(Path home) {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(home)) {
            Files.createDirectories(SPARK);
            for (Path part : parts) {
                Path link = SPARK.resolve(part.getFileName());
                Files.deleteIfExists(link);
                Files.createSymbolicLink(link, part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the plugin's sources are. */
    static Path module() {
        return MODULE;
    }

    /** Runs one of the test programs with the plugin. */
    static SparkRun submit(String name, Path java, String master, String program, List<String> conf, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script("spark-submit"), "--master", master));
        command.addAll(List.of("--class", "org.ztera.spark.apps." + program, "--jars", plugin().toString()));
        withPlugin(conf).forEach(setting -> command.addAll(List.of("--conf", setting)));
        command.add(programs().toString());
        command.addAll(List.of(arguments));
        return run(name, java, command);
    }

    /** Spark 4.3 compresses serialised blocks by default, and can sum them. The tests want to know their sizes. */
    private static List<String> withPlugin(List<String> conf) {
        List<String> all = new ArrayList<>(List.of("spark.plugins=org.ztera.spark.ZTeraPlugin", "spark.ui.enabled=false",
                "spark.driver.host=localhost", "spark.network.timeout=" + HANG_SECONDS + "s", "spark.rdd.compress=false",
                "spark.storage.rddBlockChecksum.enabled=true"));
        all.addAll(conf);
        return all;
    }

    private static Path programs() {
        return TARGET.resolve("ztera-spark_2.13-tests.jar");
    }

    /** Runs one of the test programs with the plugin on an older Spark, whose class path Maven has written. */
    static SparkRun older(String version, List<String> conf, String program, String... arguments) throws IOException {
        String spark = Files.readString(MODULE.resolve("older/target/classpath-" + version + ".txt")).strip();
        List<String> command = new ArrayList<>(List.of(ZTERA.resolve("bin/java").toString(), "-Xmx512m", "-XX:H2Size=4g"));
        OPENED.forEach(part -> command.add("--add-opens=java.base/" + part + "=ALL-UNNAMED"));
        withPlugin(conf).forEach(setting -> command.add("-D" + setting));
        command.addAll(List.of("-cp", plugin() + ":" + programs() + ":" + spark, "org.ztera.spark.apps." + program));
        command.addAll(List.of(arguments));
        return run("older-" + version, ZTERA, command);
    }

    /** Runs a Python script in a folder where {@code build/} has the plugin, as in the repository. */
    static SparkRun python(String name, String script) throws IOException {
        Path file = Files.writeString(folderWithPlugin(name).resolve("script.py"), script);
        return run(name, ZTERA, List.of("python3", file.toString()));
    }

    /** Runs a command line in such a folder, and types the lines into the shell that it starts. */
    static SparkRun shell(String name, String command, String lines) throws IOException {
        Path typed = Files.writeString(folderWithPlugin(name).resolve("typed.scala"), lines + "\n");
        String path = "PATH=" + SPARK.resolve("bin") + ":$PATH; ";
        return run(name, ZTERA, List.of("bash", "-c", path + command + " <" + typed));
    }

    private static Path folderWithPlugin(String name) throws IOException {
        Path folder = folder(name);
        Files.createDirectories(folder.resolve("build"));
        Path jar = folder.resolve("build/ztera-spark_2.13.jar");
        Files.deleteIfExists(jar);
        Files.createSymbolicLink(jar, plugin());
        return folder;
    }

    private static Path plugin() {
        return TARGET.resolve("ztera-spark_2.13.jar");
    }

    /** A script of Spark's folder {@code bin}. */
    static String script(String name) {
        return SPARK.resolve("bin").resolve(name).toString();
    }

    /** Where a run has its files. */
    static Path folder(String name) throws IOException {
        return Files.createDirectories(TARGET.resolve("runs").resolve(name));
    }

    private static SparkRun run(String name, Path java, List<String> command) {
        try {
            Path folder = folder(name);
            Path output = folder.resolve("output.txt");
            Process process = process(folder, java, command).redirectOutput(output.toFile()).start();
            boolean ended = process.waitFor(HANG_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            List<String> lines = Files.readAllLines(output);
            if (!ended) {
                throw new AssertionError("hangs: " + String.join(" ", command) + "\n" + String.join("\n", lines));
            }
            return new SparkRun(process.exitValue(), lines);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }

    /** A program of Spark's distribution that runs on a JVM, in a folder. Its errors are part of its output. */
    static ProcessBuilder process(Path folder, Path java, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(key -> key.startsWith("SPARK_") || key.startsWith("PYSPARK_") || key.endsWith("_JAVA_OPTIONS"));
        environment.put("JAVA_HOME", java.toString());
        environment.put("SPARK_HOME", SPARK.toString());
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put("PYTHONPATH", pythonPath());
        return builder;
    }

    /** As after {@code pip install pyspark}. */
    private static String pythonPath() throws IOException {
        Path python = SPARK.resolve("python");
        try (Stream<Path> libraries = Files.list(python.resolve("lib"))) {
            return python + ":" + libraries.map(Path::toString).filter(name -> name.contains("py4j")).findFirst().orElseThrow();
        }
    }

    SparkRun mustSucceed() {
        assertEquals(0, status, this::output);
        return this;
    }

    int status() {
        return status;
    }

    String output() {
        return String.join("\n", lines);
    }

    /** The value that the program printed as {@code fact name=value}. */
    String fact(String name) {
        String start = FACT + name + "=";
        return lines.stream().filter(line -> line.startsWith(start)).map(line -> line.substring(start.length())).findFirst()
                .orElseThrow(() -> new AssertionError("no fact " + name + " in:\n" + output()));
    }

    long number(String name) {
        return Long.parseLong(fact(name));
    }
}
