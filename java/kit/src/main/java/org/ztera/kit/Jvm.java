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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** A JVM with these flags, and the program that it is to run. One thread uses an object of this class. */
public final class Jvm {
    private final JavaHome home;
    private final List<String> flags = new ArrayList<>();
    private List<String> launcher = List.of();
    private List<String> program = List.of("-version");

    /** So far without flags and program. It prints its version. */
    public Jvm(JavaHome home) {
        this.home = home;
    }

    /** Adds flags; one that sets the same as an earlier one replaces it. */
    public Jvm flag(String... more) {
        return flags(List.of(more));
    }

    /** Adds flags; one that sets the same as an earlier one replaces it. */
    public Jvm flags(Collection<String> more) {
        for (String flag : more) {
            flags.removeIf(other -> key(other).equals(key(flag)));
            flags.add(flag);
        }
        return this;
    }

    /** Takes a flag away, by its name without sign and value. */
    public Jvm withoutFlag(String name) {
        flags.removeIf(flag -> key(flag).equals(name));
        return this;
    }

    /** Takes all flags of H2 away. A stock JVM knows none. */
    public Jvm withoutH2() {
        flags.removeIf(Jvm::isOfH2);
        return this;
    }

    /** Whether only a JVM with H2 takes this flag. */
    public static boolean isOfH2(String flag) {
        return flag.toLowerCase(Locale.ROOT).contains("h2");
    }

    /**
     * The setting of a flag: -Xmx1g and -Xmx2g set the same, so do -XX:+A and -XX:-A, and -XX:B=1 and -XX:B=2. A JVM
     * collects compile commands, so each is a setting of its own.
     */
    private static String key(String flag) {
        if (flag.startsWith("-XX:") && !flag.startsWith("-XX:CompileCommand=")) {
            return flag.substring(4).replaceFirst("^[+-]", "").replaceFirst("=.*", "");
        }
        return flag.matches("-Xm[xns].*") ? flag.substring(0, 4) : flag;
    }

    /** Has another program start the JVM, whose command follows that program's own arguments. */
    public Jvm through(List<String> otherProgram) {
        launcher = otherProgram;
        return this;
    }

    /** The program. */
    public Jvm main(String classPath, String mainClass, List<String> arguments) {
        program = new ArrayList<>(List.of("-cp", classPath, mainClass));
        program.addAll(arguments);
        return this;
    }

    /** The command that starts it. */
    public List<String> command() {
        List<String> command = new ArrayList<>(launcher);
        command.add(home.tool("java").toString());
        command.addAll(flags);
        command.addAll(program);
        return command;
    }

    /** Starts it in a folder that exists, as {@link Child#start} does. */
    public Child start(Path directory) throws IOException {
        return Child.start(command(), directory);
    }
}
