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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.ztera.kit.OopMode;

/**
 * A test that takes a {@link Setup} and runs in two oop modes on the release VM with the tier, and as far
 * as asked for with the file backing and on the fastdebug VM.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(MatrixProvider.class)
public @interface Matrix {
    /**
     * Oop modes to run in on the release VM with the tier. These two have each width and each header; tests of headers
     * name all four, as do stress and fuzzer.
     */
    OopMode[] modes() default {OopMode.NARROW, OopMode.WIDE_COMPACT};

    /** Oop modes to run in with the file backing. */
    OopMode[] file() default {};

    /** Oop modes to run in on the fastdebug VM. */
    OopMode[] fastdebug() default {};
}
