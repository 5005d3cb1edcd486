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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.ztera.kit.OopMode;

/** Turns a {@link Matrix} into its cells. */
public final class MatrixProvider implements ArgumentsProvider {
    @Override
    public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
        Matrix m = context.getRequiredTestMethod().getAnnotation(Matrix.class);
        List<Setup> setups = new ArrayList<>();
        for (OopMode mode : m.modes()) {
            setups.add(new Setup(Jdk.RELEASE, mode, Backing.TIER));
        }
        for (OopMode mode : m.file()) {
            setups.add(new Setup(Jdk.RELEASE, mode, Jdk.STOCK ? Backing.TIER : Backing.FILE));
        }
        for (OopMode mode : m.fastdebug()) {
            // A stock JVM has no second build: there is nothing to vary but the object layout.
            setups.add(new Setup(Jdk.STOCK ? Jdk.RELEASE : Jdk.FASTDEBUG, mode, Backing.TIER));
        }
        return setups.stream().distinct().map(Arguments::of);
    }
}
