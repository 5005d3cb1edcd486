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
package org.ztera.fuzz.shrink;

import java.util.ArrayList;
import java.util.List;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.run.Mode;

/** Programs that run one after the other in one JVM, in a mode: what fails, and what may become smaller. */
public record Case(List<Program> programs, Mode mode) {
    Case withPrograms(List<Program> other) {
        return new Case(List.copyOf(other), mode);
    }

    Case withProgram(int i, Program other) {
        List<Program> changed = new ArrayList<>(programs);
        changed.set(i, other);
        return withPrograms(changed);
    }

    Case withMode(Mode other) {
        return new Case(programs, other);
    }

    int statements() {
        return programs.stream().mapToInt(Program::statements).sum();
    }
}
