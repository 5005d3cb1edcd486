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
package org.ztera.monitor;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.ObjectName;
import org.ztera.H2;

/**
 * Registers the MBean {@code org.ztera:type=H2}, and commits events of Flight Recorder.
 *
 * <p>The MBean has an attribute for each number of {@code jcmd PID GC.h2_info json}, but for those of labels: {@code
 * used_bytes} is {@code UsedBytes}, {@code fault_count} of the engine is {@code EngineFaultCount}, {@code h1_bytes} of
 * the memory limit is {@code MemoryH1Bytes}. {@code FaultPoolCount} and {@code FaultPoolNs} are the faults that the
 * pool has served, and their times; {@code Memory} and {@code Ssd} in place of {@code Pool} are the other tiers. The
 * document {@code statistics.md} of ZTera has the meanings. {@code Decisions} are the last ones with their reasons.
 *
 * <p>After each collection the MBean sends a notification of what changed since the one before, and a recording gets an
 * event of it:
 *
 * <table>
 * <caption>What is told after a collection</caption>
 * <tr><th>Notification</th><th>Event</th><th>Meaning</th></tr>
 * <tr><td>{@code org.ztera.h2.move}</td><td>{@code org.ztera.Move}</td><td>objects moved to H2</td></tr>
 * <tr><td>{@code org.ztera.h2.return}</td><td>{@code org.ztera.Return}</td><td>objects returned to H1</td></tr>
 * <tr><td>{@code org.ztera.h2.death}</td><td>{@code org.ztera.Death}</td><td>regions died</td></tr>
 * <tr><td>{@code org.ztera.h2.pressure}</td><td>{@code org.ztera.Pressure}</td><td>H2 has more in memory than it
 *     should, as its pool is full, or the SSD failed</td></tr>
 * <tr><td>{@code org.ztera.h2.decision}</td><td>{@code org.ztera.Decision}</td><td>what the JVM decided about memory or
 *     a label, and why</td></tr>
 * </table>
 *
 * <p>The event {@code org.ztera.Statistics} comes periodically and has the main numbers, times of page faults among
 * them. The VM has no event for a single slow fault.
 */
public final class H2Monitor {
    private static boolean started;

    private H2Monitor() {
    }

    /**
     * Starts it, once. Does nothing on a JVM without a second heap.
     *
     * @return whether the MBean is there
     * @throws IllegalStateException if the platform's MBean server has something else under that name
     */
    public static synchronized boolean start() {
        if (!started && H2.isEnabled()) {
            H2Bean bean = new H2Bean();
            register(bean);
            List<Consumer<Change>> listeners = new ArrayList<>();
            listeners.add(bean::tell);
            if (ModuleLayer.boot().findModule("jdk.jfr").isPresent() && Recorded.isAvailable()) {
                listeners.add(Recorded.start());
            }
            AfterCollections.listen(listeners);
            started = true;
        }
        return started;
    }

    private static void register(H2Bean bean) {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, new ObjectName(H2Bean.NAME));
        } catch (JMException e) {
            throw new IllegalStateException("cannot register " + H2Bean.NAME, e);
        }
    }

    /**
     * Starts it before the program, for {@code -javaagent:ztera-api.jar}.
     *
     * @param options are not used
     */
    public static void premain(String options) {
        start();
    }

    /**
     * Starts it beside a program that runs, for {@code jcmd PID JVMTI.agent_load ztera-api.jar}.
     *
     * @param options are not used
     */
    public static void agentmain(String options) {
        start();
    }
}
