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
package org.ztera.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.ztera.monitor.H2Monitor;

/**
 * Registers the numbers of the second heap as meters.
 *
 * {@snippet lang=java :
 * new H2Metrics().bindTo(registry);
 * }
 *
 * <p>Where a framework takes all binders, as Spring Boot does, an object of this class is all that it needs. The
 * meters are those of {@code ztera export}, under the same names for Prometheus: {@code ztera.h2.resident.bytes}
 * becomes {@code ztera_h2_resident_bytes}. So dashboards and alerts serve both. The document {@code statistics.md}
 * of ZTera has their meanings. {@code ztera.h2.fault} is a timer of page faults, with the tag {@code tier}.
 *
 * <p>It starts {@link H2Monitor}, and asks its MBean. On a JVM without a second heap it registers nothing.
 */
public final class H2Metrics implements MeterBinder {
    private final Tags tags;

    /** Meters without tags of their own. */
    public H2Metrics() {
        this(Tags.empty());
    }

    /**
     * Meters with tags.
     *
     * @param tags of each meter
     */
    public H2Metrics(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (H2Monitor.start()) {
            bind(Bean.OF_THIS_VM, registry);
        }
    }

    /** Meters of an MBean. */
    void bind(Bean bean, MeterRegistry registry) {
        Statistic.all().stream().filter(statistic -> statistic.isTold(bean))
                .forEach(statistic -> statistic.register(bean, tags, registry));
        Faults.register(bean, tags, registry);
    }
}
