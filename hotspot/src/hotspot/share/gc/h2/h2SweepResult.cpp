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

#include "gc/h2/h2Allocator.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2RegionTable.inline.hpp"
#include "gc/h2/h2SweepResult.hpp"
#include "runtime/atomic.hpp"
#include "runtime/mutexLocker.hpp"

static Mutex* parts_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Sweeper_lock");
  return lock;
}

H2SweepResult::H2SweepResult(bool may_split) :
  _may_split(may_split), _least_gap(MAX2(H2Allocator::longest_run() / 8, 1u)),
  _live_words(NEW_C_HEAP_ARRAY(size_t, H2Heap::regions()->limit(), mtGC)), _dead_parts(), _cleaned_bytes(0) {
  memset(_live_words, 0, H2Heap::regions()->limit() * sizeof(size_t));
}

H2SweepResult::~H2SweepResult() {
  FREE_C_HEAP_ARRAY(size_t, _live_words);
}

bool H2SweepResult::add_dead_part(const H2Region* region, uint first, uint end) {
  if (!_may_split || first >= end) {
    return false;
  }
  const bool is_inside = first > region->head() && end < region->head() + region->run();
  if (is_inside && end - first < _least_gap) {
    return false;
  }
  MutexLocker ml(parts_lock(), Mutex::_no_safepoint_check_flag);
  _dead_parts.append(Part{first, end});
  return true;
}

void H2SweepResult::add_live(H2Region* region, HeapWord* p, size_t words) {
  _live_words[H2Heap::regions()->index(p)] += words;
  if (region->is_shared()) {
    region->parts()->add_live(p, words);
  }
}

void H2SweepResult::add_cleaned(size_t bytes) {
  Atomic::add(&_cleaned_bytes, bytes, memory_order_relaxed);
}
