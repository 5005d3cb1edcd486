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

#ifndef SHARE_GC_H2_H2COLLECTOR_INLINE_HPP
#define SHARE_GC_H2_H2COLLECTOR_INLINE_HPP

#include "gc/h2/h2Collector.hpp"

// The one place that chooses.
#include "gc/h2/parallel/h2ObjectStarts.inline.hpp"
#include "gc/h2/parallel/h2Parallel.inline.hpp"

#endif // SHARE_GC_H2_H2COLLECTOR_INLINE_HPP
