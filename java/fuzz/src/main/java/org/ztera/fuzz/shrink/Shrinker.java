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
import org.ztera.fuzz.program.ClassDef;
import org.ztera.fuzz.program.Emitter;
import org.ztera.fuzz.program.Method;
import org.ztera.fuzz.program.Program;
import org.ztera.fuzz.program.Slot;
import org.ztera.fuzz.program.Stmt;
import org.ztera.fuzz.run.Failure;
import org.ztera.fuzz.run.Mode;

/**
 * Minimises a failing case: fewer programs, a plainer mode, fewer and smaller statements, fewer declarations. Each step
 * is kept only if the case still fails, so what comes out is as real as what went in. Stops early when time is up.
 */
public final class Shrinker {
    private final Oracle oracle;
    private final long deadline;
    private Case best;
    private Failure failure;
    private int tries;

    /** @param nanos how long it may take */
    public Shrinker(Oracle oracle, long nanos) {
        this.oracle = oracle;
        this.deadline = System.nanoTime() + nanos;
    }

    /** Makes the case smaller; false if it does not fail at all when it is tried again. */
    public boolean shrink(Case failing) throws Exception {
        best = failing;
        if (!fails(failing)) {
            return false;
        }
        programs();
        statements();
        mode();
        for (int before = Integer.MAX_VALUE; best.statements() < before && !isLate(); ) {
            before = best.statements();
            statements();
        }
        sizes();
        declarations();
        return true;
    }

    /** The smallest case that fails. */
    public Case best() {
        return best;
    }

    /** How it fails. */
    public Failure failure() {
        return failure;
    }

    public int tries() {
        return tries;
    }

    private boolean isLate() {
        return System.nanoTime() - deadline > 0;
    }

    /** Tries a case, and keeps it if it fails. */
    private boolean fails(Case candidate) throws Exception {
        if (isLate() && failure != null) {
            return false;
        }
        tries++;
        Failure f = oracle.failure(candidate);
        if (f == null) {
            return false;
        }
        best = candidate;
        failure = f;
        return true;
    }

    private void programs() throws Exception {
        if (best.programs().size() > 1) {
            Ddmin.minimise(best.programs(), shorter -> !shorter.isEmpty() && fails(best.withPrograms(shorter)));
        }
    }

    private void mode() throws Exception {
        for (boolean changed = true; changed; ) {
            changed = false;
            for (Mode simpler : best.mode().simpler()) {
                changed |= !simpler.equals(best.mode()) && best.mode().simpler().contains(simpler) && fails(best.withMode(simpler));
            }
        }
    }

    private void statements() throws Exception {
        for (int i = 0; i < best.programs().size(); i++) {
            int at = i;
            StatementShrinker.shrink(program(at).main(), main -> fails(best.withProgram(at, program(at).withMain(main))));
            for (int k = 0; k < program(at).methods().size(); k++) {
                int m = k;
                StatementShrinker.shrink(program(at).methods().get(m).body(), body -> fails(best.withProgram(at, withMethod(at, m, body))));
            }
        }
    }

    private Program program(int i) {
        return best.programs().get(i);
    }

    private Program withMethod(int program, int method, List<Stmt> body) {
        List<Method> methods = new ArrayList<>(program(program).methods());
        methods.set(method, methods.get(method).withBody(body));
        return program(program).withMethods(methods);
    }

    private void sizes() throws Exception {
        for (int i = 0; i < best.programs().size(); i++) {
            int at = i;
            StatementShrinker.shrinkSizes(program(at).main(), main -> fails(best.withProgram(at, program(at).withMain(main))));
        }
    }

    /** Methods, slots, fields and classes that no statement names. */
    private void declarations() throws Exception {
        for (int i = 0; i < best.programs().size(); i++) {
            int at = i;
            Ddmin.minimise(program(at).methods(), m -> fails(best.withProgram(at, program(at).withMethods(m))));
            dropUnnamedSlots(at);
            Ddmin.minimise(program(at).slots(), s -> fails(best.withProgram(at, program(at).withSlots(s))));
            for (int c = program(at).classes().size() - 1; c >= 0; c--) {
                dropClass(at, c);
            }
        }
    }

    /** All at once, which saves many tries. A slot is named in its declaration and in the program's visit method. */
    private void dropUnnamedSlots(int at) throws Exception {
        String source = Emitter.emit(program(at));
        List<Slot> named = program(at).slots().stream().filter(s -> source.split("\\b" + s.name() + "\\b", -1).length > 3).toList();
        if (named.size() < program(at).slots().size()) {
            fails(best.withProgram(at, program(at).withSlots(named)));
        }
    }

    private void dropClass(int at, int c) throws Exception {
        List<ClassDef> classes = new ArrayList<>(program(at).classes());
        ClassDef dropped = classes.remove(c);
        if (fails(best.withProgram(at, program(at).withClasses(classes)))) {
            return;
        }
        Ddmin.minimise(dropped.fields(), fields -> {
            List<ClassDef> changed = new ArrayList<>(program(at).classes());
            changed.set(c, dropped.withFields(fields));
            return fails(best.withProgram(at, program(at).withClasses(changed)));
        });
    }
}
