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
#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2LastChance.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2References.hpp"
#include "gc/h2/h2Shortage.hpp"
#include "gc/h2/h2SsdWatch.hpp"
#include "runtime/interfaceSupport.inline.hpp"
#include "runtime/javaThread.inline.hpp"
#include "runtime/mutexLocker.hpp"

// Before each further try, as a handler may take its time.
static const int64_t WaitMillis[] = { 20, 80, 320 };

// Other processes look some times a second at what they should give.
static const int64_t NeighbourMillis[] = { 20, 80, 320, 640, 1280, 1280, 1280 };

// They have memory of H2 only if it is more.
static const size_t LeastLack = 16 * M;

H2LastChance::H2LastChance() : _cleared(H2References::cleared()), _tries(0), _waits(0), _looks(false) {}

static void wait_for_others(int64_t millis) {
  Monitor lock(Mutex::nosafepoint, "H2LastChance_lock");
  ThreadBlockInVM blocked(JavaThread::current());
  MonitorLocker locker(&lock, Mutex::_no_safepoint_check_flag);
  locker.wait(millis);
}

// Does H2 have less than it may, and no room all the same?
static bool neighbours_have_room() {
  H2EngineStats engine;
  return H2Shortage::was_refused() && H2Limits::shares_budget() && H2Heap::backend()->stats(&engine) &&
         H2Budget::dram_bytes(engine) + LeastLack < H2Budget::h2_bytes();
}

bool H2LastChance::waits_for_neighbours() {
  if (_waits == ARRAY_SIZE(NeighbourMillis) || !neighbours_have_room()) {
    return false;
  }
  const int64_t millis = NeighbourMillis[_waits++];
  H2Decisions::note("Before an OutOfMemoryError: other processes have memory that H2 may have, and get " INT64_FORMAT " ms", millis);
  wait_for_others(millis);
  return true;
}

bool H2LastChance::take() {
  if (waits_for_neighbours()) {
    return true;
  }
  if (H2Shortage::owes_look() && !_looks) {
    _looks = true;
    H2Decisions::note("Before an OutOfMemoryError: a move was not enough, so a look follows");
    return true;
  }
  const size_t cleared = H2References::cleared() - _cleared;
  if (cleared == 0 || _tries == ARRAY_SIZE(WaitMillis)) {
    H2SsdWatch::allocation_failed();
    return false;
  }
  const int64_t millis = WaitMillis[_tries++];
  H2Decisions::note("Before an OutOfMemoryError: looks have cleared %zu references; threads that wait for them get " INT64_FORMAT " ms",
                    cleared, millis);
  wait_for_others(millis);
  return true;
}
