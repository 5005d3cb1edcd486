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
/**
 * The tests: which child program runs with which flags, in which cells of the matrix of object layouts,
 * backings and VM builds, and what its output must be.
 *
 * <pre>
 * make test-jvm                                                            # what make test does
 * mvn -f java/pom.xml verify -pl tests -am -Dztera.jdk=$PWD/build/jdk         # the same by hand
 * mvn ... -Dtest='ReferencesTest,H2SilenceTest' -Dsurefire.failIfNoSpecifiedTests=false
 * mvn ... -Dztera.stock=true -Dztera.jdk=JDK25                             # the tests' own logic on a stock JVM
 * </pre>
 *
 * Each child leaves its output, GC log and crash report in a directory of its own in {@code target/runs}.
 */
package org.ztera.jvmtests;
