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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's examples, as they stand there, print what the README says. */
class ReadmeIT {
    @Test
    void theScriptWorksWhenPasted() throws IOException {
        String script = block("python");
        assertEquals(10, script.lines().filter(line -> !line.isBlank()).count(), "the script has ten lines");
        printsAllLines(SparkRun.python("readme", script), block("text"));
    }

    @Test
    void theShellsLinesWorkWhenPasted() throws IOException {
        printsAllLines(SparkRun.shell("readme-shell", block("sh"), block("scala")), block("text").replace("True", "true"));
    }

    /** A shell's prompt may stand before a line. */
    private static void printsAllLines(SparkRun run, String text) {
        run.mustSucceed();
        text.lines().forEach(line -> assertTrue(run.output().lines().anyMatch(printed -> printed.endsWith(line)),
                () -> "not printed: " + line + "\n" + run.output()));
    }

    /** The first block of that language. */
    private static String block(String language) throws IOException {
        String readme = Files.readString(SparkRun.module().resolve("README.md"));
        Matcher matcher = Pattern.compile("```" + language + "\n(.*?)\n```", Pattern.DOTALL).matcher(readme);
        assertTrue(matcher.find(), "the README has a block of " + language);
        return matcher.group(1);
    }
}
