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
package org.ztera.others;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.ztera.kit.JavaHome;

/**
 * Gets programs from Maven Central into the user's usual Maven cache. A class path that was found once is kept in
 * {@code folder}, so that a run that downloads nothing does not start Maven either.
 */
record Maven(JavaHome stockJdk, Path folder) {
    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

    /** The class path of these artifacts with all that they need. */
    String classpath(List<String> coordinates) throws IOException, InterruptedException {
        return coordinates.isEmpty() ? "" : resolve(coordinates, true);
    }

    /** The sources jar of an artifact. */
    Path sources(String coordinates) throws IOException, InterruptedException {
        return Path.of(resolve(List.of(coordinates + ":sources"), false));
    }

    private String resolve(List<String> coordinates, boolean transitive) throws IOException, InterruptedException {
        String id = Integer.toHexString(coordinates.hashCode());
        Path known = folder.resolve(id + ".classpath");
        if (Files.exists(known)) {
            String[] lines = Files.readString(known).split("\n");
            if (lines[0].equals(coordinates.toString()) && Arrays.stream(lines[1].split(":")).allMatch(f -> Files.exists(Path.of(f)))) {
                return lines[1];
            }
        }
        System.out.println("others: asking Maven for " + String.join(" ", coordinates));
        String found = ask(Files.writeString(Files.createDirectories(folder).resolve(id + ".xml"), pom(coordinates, transitive)));
        Files.writeString(known, coordinates + "\n" + found + "\n");
        return found;
    }

    private String ask(Path pom) throws IOException, InterruptedException {
        Path answer = folder.resolve("answer");
        Files.deleteIfExists(answer);
        ProcessBuilder mvn = new ProcessBuilder("mvn", "-B", "-ntp", "-q", "-f", pom.toString(), PLUGIN,
                "-Dmdep.outputFile=" + answer).inheritIO();
        mvn.environment().put("JAVA_HOME", stockJdk.toString());
        mvn.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED "
                + "--sun-misc-unsafe-memory-access=allow");
        if (mvn.start().waitFor() != 0) {
            throw new IOException("Maven could not resolve " + pom);
        }
        return Files.readString(answer).strip();
    }

    private static String pom(List<String> coordinates, boolean transitive) {
        StringBuilder dependencies = new StringBuilder();
        for (String c : coordinates) {
            String[] part = c.split(":");
            dependencies.append("<dependency><groupId>").append(part[0]).append("</groupId><artifactId>").append(part[1])
                    .append("</artifactId><version>").append(part[2]).append("</version>");
            if (part.length > 3) {
                dependencies.append("<classifier>").append(part[3]).append("</classifier>");
            }
            if (!transitive) {
                dependencies.append("<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>");
            }
            dependencies.append("</dependency>\n");
        }
        return "<project><modelVersion>4.0.0</modelVersion><groupId>org.ztera.others</groupId><artifactId>others</artifactId>"
                + "<version>1</version><packaging>pom</packaging><dependencies>\n" + dependencies + "</dependencies></project>\n";
    }
}
