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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Due.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2PerfData.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Returner.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2Stats.hpp"
#include "gc/h2/h2Tags.hpp"
#include "memory/resourceArea.hpp"
#include "runtime/globals.hpp"
#include "runtime/perfData.hpp"
#include "utilities/exceptions.hpp"

// Name, and value.
#define H2_HEAP_COUNTERS_DO(f)                          \
  f(capacity_bytes,       H2Heap::capacity())           \
  f(used_bytes,           H2Heap::used())               \
  f(regions_total,        H2Heap::regions()->length())  \
  f(regions_used,         H2Heap::regions()->in_use())  \
  f(regions_freed,        H2Heap::regions()->freed())   \
  f(tags,                 H2Tags::count())              \
  f(moved_objects,        H2Stats::moved_objects())     \
  f(moved_bytes,          H2Stats::moved_bytes())       \
  f(moves,                H2Stats::moves())             \
  f(returned_bytes,       H2Returner::returned_bytes()) \
  f(due_bytes,            H2Due::bytes())               \
  f(shape_bytes,          H2Shapes::bytes())            \
  f(memory_limit_bytes,   H2Budget::division()._limit)  \
  f(memory_h1_bytes,      H2Budget::division()._h1)     \
  f(memory_beside_bytes,  H2Budget::division()._beside) \
  f(memory_staging_bytes, H2Budget::division()._staging)\
  f(memory_h2_bytes,      H2Budget::division()._h2)

#define H2_DECLARE_COUNTER(name, value) static PerfVariable* heap_##name = nullptr;
H2_HEAP_COUNTERS_DO(H2_DECLARE_COUNTER)
#undef H2_DECLARE_COUNTER
#define H2_DECLARE_COUNTER(name) static PerfVariable* engine_##name = nullptr;
H2_ENGINE_STATS_DO(H2_DECLARE_COUNTER)
#undef H2_DECLARE_COUNTER

static PerfVariable* create(const char* name) {
  EXCEPTION_MARK;
  return PerfDataManager::create_variable(SUN_GC, name, PerfData::U_None, CHECK_NULL);
}

void H2PerfData::initialize() {
  if (!UsePerfData) {
    return;
  }
  ResourceMark rm;
#define H2_CREATE_COUNTER(name, value) heap_##name = create("h2." #name);
  H2_HEAP_COUNTERS_DO(H2_CREATE_COUNTER)
#undef H2_CREATE_COUNTER
  H2EngineStats engine;
  if (H2Heap::backend()->stats(&engine)) {
#define H2_CREATE_COUNTER(name) engine_##name = create("h2.engine_" #name);
    H2_ENGINE_STATS_DO(H2_CREATE_COUNTER)
#undef H2_CREATE_COUNTER
  }
  update();
}

void H2PerfData::update() {
  if (!UsePerfData || !PerfDataManager::has_PerfData()) {
    return;
  }
#define H2_SET_COUNTER(name, value) heap_##name->set_value((jlong)(value));
  H2_HEAP_COUNTERS_DO(H2_SET_COUNTER)
#undef H2_SET_COUNTER
  H2EngineStats engine;
  if (H2Heap::backend()->stats(&engine)) {
#define H2_SET_COUNTER(name) engine_##name->set_value((jlong)engine.name);
    H2_ENGINE_STATS_DO(H2_SET_COUNTER)
#undef H2_SET_COUNTER
  }
}
