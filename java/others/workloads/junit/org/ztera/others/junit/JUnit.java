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
package org.ztera.others.junit;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.ztera.others.child.Checks;

/**
 * Runs the tests of jars on the class path. The answer is the outcome of each test; a test that fails is a failure.
 *
 * <p>Arguments: {@code jar <part of a jar's name>} or {@code class <name>}, any number of them; {@code include <regex>}
 * and {@code exclude <regex>} of class names; {@code except <method>} for a test method that is not to count.
 */
public final class JUnit implements TestExecutionListener {
    private final Set<String> exceptions;
    private final SortedMap<String, Integer> outcomes = new TreeMap<>();
    private long succeeded;
    private long failed;

    private JUnit(Set<String> exceptions) {
        this.exceptions = exceptions;
    }

    public static void main(String[] args) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        Set<String> exceptions = new java.util.HashSet<>();
        for (int i = 0; i < args.length; i += 2) {
            String value = args[i + 1];
            switch (args[i]) {
                case "jar" -> request.selectors(jar(value));
                case "class" -> request.selectors(DiscoverySelectors.selectClass(value));
                case "include" -> request.filters(ClassNameFilter.includeClassNamePatterns(value));
                case "exclude" -> request.filters(ClassNameFilter.excludeClassNamePatterns(value));
                case "except" -> exceptions.add(value);
                default -> throw new IllegalArgumentException(args[i]);
            }
        }
        new JUnit(exceptions).run(request.build());
    }

    private static List<? extends DiscoverySelector> jar(String part) {
        for (String file : System.getProperty("java.class.path").split(":")) {
            if (file.contains(part)) {
                return DiscoverySelectors.selectClasspathRoots(Set.of(Path.of(file)));
            }
        }
        throw new IllegalArgumentException("no such jar on the class path: " + part);
    }

    private void run(LauncherDiscoveryRequest request) {
        LauncherFactory.create().execute(request, this);
        outcomes.forEach((test, count) -> Checks.answer(test + " " + count));
        Checks.made(succeeded);
        System.out.println(succeeded + " tests succeeded, " + failed + " failed");
        if (failed > 0) {
            throw new AssertionError(failed + " tests failed");
        }
    }

    /** Display names of generated cases may hold anything, so cases are counted by their container and outcome. */
    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean success = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        String id = test.getUniqueId().replaceFirst("/\\[(test-template-invocation|dynamic-test|dynamic-container):.*", "");
        if (!test.isTest() && success || exceptions.stream().anyMatch(id::contains)) {
            return;
        }
        outcomes.merge(id + " " + result.getStatus(), 1, Integer::sum);
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failed++;
            System.out.println("FAILED " + test.getUniqueId() + " " + test.getDisplayName());
            result.getThrowable().ifPresent(t -> t.printStackTrace(System.out));
        } else if (test.isTest() && success) {
            succeeded++;
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        outcomes.merge(test.getUniqueId() + " SKIPPED", 1, Integer::sum);
    }
}
