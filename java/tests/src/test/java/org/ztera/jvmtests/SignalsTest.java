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
package org.ztera.jvmtests;

import static org.ztera.kit.OopMode.NARROW;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ztera.jvmtests.child.ForeignSignals;
import org.ztera.jvmtests.harness.JvmRun;
import org.ztera.jvmtests.harness.Matrix;
import org.ztera.jvmtests.harness.NativeLibrary;
import org.ztera.jvmtests.harness.Setup;

/**
 * Threads serve their own faults on H2, of which SIGBUS tells them. Native code that took that signal, or blocked it,
 * ended the process at the next fault, without a report: by its handler, or by the kernel.
 */
class SignalsTest {
    private static final String TAKEN = "Native code has taken SIGBUS";

    private static JvmRun program(Setup setup, String how) {
        return JvmRun.of(setup).flag("-XX:H2ResidentSize=4m")
                .main(ForeignSignals.class, NativeLibrary.signals(how.equals("at_load")).toString(), how);
    }

    /**
     * Threads go on to serve themselves.
     *
     * <p>Situation: native code: a library installs a handler of SIGBUS, resets it, or blocks the signal in a thread.
     * Outcome: the program reads the right values, and the library is told of its own faults.
     */
    @ParameterizedTest
    @ValueSource(strings = {"by_sigaction", "by_signal", "by_default", "found_by_name", "by_sigprocmask", "by_pthread_sigmask", "in_a_thread"})
    void callsThatTakeOrBlockTheSignalAreIntercepted(String how) {
        program(Setup.DEFAULT, how).run().passed().notLogged(TAKEN);
    }

    /**
     * The library was there before its calls could be intercepted.
     *
     * <p>Situation: native code: a library takes SIGBUS while it is loaded. Outcome: threads of the engine take over,
     * and a warning names the remedy.
     */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void aLibraryThatTakesTheSignalWhenItIsLoaded(Setup setup) {
        program(setup, "at_load").run().passed().logged(TAKEN);
    }

    /**
     * Within a second.
     *
     * <p>Situation: native code: a library takes SIGBUS past the C library. Outcome: threads of the engine take over,
     * and a warning names the remedy.
     */
    @Matrix(modes = NARROW, fastdebug = NARROW)
    void aCallThatNobodySees(Setup setup) {
        program(setup, "by_system_call").run().passed().logged(TAKEN);
    }

    @Matrix(modes = NARROW, fastdebug = NARROW)
    void callsAreInterceptedWhileJniIsChecked(Setup setup) {
        program(setup, "by_sigaction").flag("-Xcheck:jni").run().passed().notLogged(TAKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"by_sigaction", "by_default", "at_load", "in_a_thread"})
    void handlersNeedNoSignal(String how) {
        program(Setup.DEFAULT, how).flag("-XX:H2FaultMode=handler").run().passed().notLogged(TAKEN);
    }
}
