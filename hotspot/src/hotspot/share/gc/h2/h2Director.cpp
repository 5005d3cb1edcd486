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
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Director.hpp"
#include "gc/h2/h2Due.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2HotObjects.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2LimitWatch.hpp"
#include "gc/h2/h2PerfData.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Signals.hpp"
#include "gc/h2/h2SsdWatch.hpp"
#include "gc/h2/h2Thread.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gc_globals.hpp"
#include "gc/shared/gcCause.hpp"
#include "logging/log.hpp"
#include "memory/universe.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/javaThread.inline.hpp"
#include "runtime/mutexLocker.hpp"
#include "runtime/os.hpp"
#include "runtime/safepoint.hpp"
#include "runtime/timer.hpp"

// "High Usage" in logs. ZGC has it for the same reason, and a cause of our own would be known to all of HotSpot.
static const GCCause::Cause HighUsage = GCCause::_z_high_usage;

size_t   H2Director::_old_after_full = 0;
bool     H2Director::_is_short = false;
bool     H2Director::_moves_pay = true;
bool     H2Director::_is_ssd_bound = false;
uint64_t H2Director::_read_ns = 0;
jlong    H2Director::_full_ended = 0;
jlong    H2Director::_full_started = 0;
double   H2Director::_full_seconds = 1.0;   // until there was one
uint64_t H2Director::_full_safepoint = 0;
size_t   H2Director::_promoted_before_full = 0;

// Assumes that what comes compresses as well as what there is. 0 when the engine has compressed nothing
// yet.
double H2Director::cost(const H2EngineStats& engine) {
  return engine.orig_data_size == 0 ? 0.0 : MIN2((double)engine.mem_used_total / (double)engine.orig_data_size, 1.0);
}

size_t H2Director::promoted_since_full() {
  const size_t used = H2Heap::collector()->use()._old_used;
  return used - MIN2(used, _old_after_full);
}

H2EarlyGCSnapshot H2Director::snapshot(const H2EngineStats& engine) {
  H2EarlyGCSnapshot s;
  s._cost = cost(engine);
  s._h2_used = H2Heap::used();
  const H2HeapUse h1 = H2Heap::collector()->use();
  s._old_used = h1._old_used;
  s._old_max = h1._old_max;
  s._promoted = promoted_since_full();
  s._h2_least = H2Limits::least_bytes();
  s._h2_may_have = H2Budget::h2_bytes();
  s._overdrawn = 0;
  s._on_ssd = engine.bd_used;
  s._waited = (double)(engine.bd_read_ns - _read_ns) / NANOSECS_PER_SEC;
  s._gc_takes = _full_seconds;
  return s;
}

bool H2Director::is_short_of_dram(const H2EarlyGCSnapshot& s) {
  if (!H2EarlyGCRule::is_short_of_dram(s)) {
    return false;
  }
  H2Decisions::note("Full GC before H1 is full: H2 will need %zuM, and has %zuM; %zuM were promoted",
                    H2EarlyGCRule::needed_bytes(s) / M, s._h2_may_have / M, s._promoted / M);
  return true;
}

void H2Director::young_finished() {
  H2EngineStats engine;
  if (!H2Limits::shares_budget() || AlwaysPreTouch || !H2Heap::backend()->stats(&engine)) {
    return;
  }
  _moves_pay = !H2Due::is_mostly_raw();
  H2EarlyGCSnapshot s = snapshot(engine);
  _is_short = !H2SsdWatch::takes_writes() && _moves_pay && is_short_of_dram(s);
  if (_is_short) {
    return;
  }
  s._overdrawn = H2Budget::overdrawn_bytes(H2Limits::memory_limit());
  if (H2EarlyGCRule::is_over_limit(s)) {
    H2Decisions::note("Full GC before H1 is full: the memory limit is used up");
    // Memory that is not H1's may hang on references to H2.
    H2References::ask();
    _is_short = true;
  }
}

void H2Director::full_started() {
  _full_started = os::elapsed_counter();
  const uint64_t safepoint = SafepointSynchronize::safepoint_id();
  if (safepoint != _full_safepoint) {
    _full_safepoint = safepoint;
    _promoted_before_full = promoted_since_full();
  }
}

double H2Director::seconds_since_full() {
  return TimeHelper::counter_to_seconds(os::elapsed_counter() - _full_ended);
}

void H2Director::full_finished() {
  _full_ended = os::elapsed_counter();
  _full_seconds = TimeHelper::counter_to_seconds(os::elapsed_counter() - _full_started);
  _old_after_full = H2Heap::collector()->use()._old_used;
  _is_short = false;
  _is_ssd_bound = false;
  H2EngineStats engine;
  if (H2Heap::backend()->stats(&engine)) {
    _read_ns = engine.bd_read_ns;
  }
}

bool H2Director::is_worth_a_full_gc() {
  H2EngineStats engine;
  if (H2Heap::regions()->in_use() == 0 || !H2Heap::backend()->stats(&engine)) {
    return false;
  }
  const H2EarlyGCSnapshot s = snapshot(engine);
  if (s._on_ssd > 0 && H2EarlyGCRule::has_promoted(s)) {
    log_trace(gc, h2)("Waited %.3fs for the SSD, %.3fs of it for want of what %zuM of H1 would free; a full GC takes %.3fs",
                      s._waited, H2EarlyGCRule::saved_seconds(s), s._promoted / M, s._gc_takes);
  }
  if (!H2EarlyGCRule::saves_waits(s)) {
    return false;
  }
  H2Decisions::note("Full GC before H1 is full: threads waited %.3fs for the SSD since the last one; it takes %.3fs; %zuM were promoted",
                    s._waited, s._gc_takes, s._promoted / M);
  return true;
}

void H2Director::look() {
  H2EngineStats engine;
  bool lends_after_gc = false;
  if (H2Heap::backend()->stats(&engine)) {
    if (H2Path != nullptr) {
      H2SsdWatch::look(engine);
    }
    lends_after_gc = H2Budget::look(engine);
  }
  H2Heap::backend()->note_decisions();
  H2Budget::measure();
  H2Budget::share();
  H2PerfData::update();
  if (lends_after_gc) {
    H2Decisions::note("Full GC before H1 is full: H2 lacks memory, and eden is not in use");
    Universe::heap()->collect(HighUsage);
    return;
  }
  if (H2LimitWatch::look()) {
    Universe::heap()->collect(HighUsage);
    return;
  }
  if (H2Path != nullptr && !AlwaysPreTouch && is_worth_a_full_gc()) {
    _is_ssd_bound = true;
    Universe::heap()->collect(HighUsage);
  } else if (H2HotObjects::is_worth_a_full_gc(_full_seconds, seconds_since_full())) {
    Universe::heap()->collect(HighUsage);
  }
}

// Looks each second. As a Java thread it may ask for a GC, and none begins while it looks.
void H2Director::run(JavaThread* thread, TRAPS) {
  static const int64_t IntervalMillis = 1000;
  Monitor lock(Mutex::nosafepoint, "H2Director_lock");
  while (true) {
    {
      ThreadBlockInVM blocked(thread);
      MonitorLocker locker(&lock, Mutex::_no_safepoint_check_flag);
      locker.wait(IntervalMillis);
      // TrimNativeHeapInterval would not do: HotSpot takes its lock out of order (asserted when symbols are cleaned).
      H2Budget::give_back_malloc();
    }
    H2Signals::look();
    look();
  }
}

void H2Director::start() {
  if (H2Heap::is_enabled() && H2Limits::shares_budget()) {
    H2Thread::start("H2 Director", &run);
  }
}
