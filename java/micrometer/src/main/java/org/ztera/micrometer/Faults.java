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

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Page faults by tier. */
final class Faults {
    private static final List<String> TIERS = List.of("Memory", "Pool", "Ssd");

    private Faults() {
    }

    static void register(Bean bean, Tags tags, MeterRegistry registry) {
        if (bean.hasTiers()) {
            TIERS.forEach(tier -> register(tier, bean, tags, registry));
        }
    }

    private static void register(String tier, Bean bean, Tags tags, MeterRegistry registry) {
        FunctionTimer.builder("ztera.h2.fault", bean, it -> (long) it.number("Fault" + tier + "Count", 0),
                        it -> it.number("Fault" + tier + "Ns", 0), TimeUnit.NANOSECONDS)
                .description("Times that faults took, from when the engine learns of one until it has served it and made room.")
                .tags(tags.and("tier", tier.toLowerCase(Locale.ROOT))).register(registry);
    }
}
