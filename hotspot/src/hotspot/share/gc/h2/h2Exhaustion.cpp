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

#include "gc/h2/h2Decisions.hpp"
#include "gc/h2/h2Exhaustion.hpp"
#include "gc/h2/h2SsdWatch.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "gc/shared/gc_globals.hpp"
#include "memory/universe.hpp"
#include "runtime/atomic.hpp"

// Buffers for a stack trace are no larger, nor are iterators and messages.
static const size_t MostOfSmall = 16 * K;

// For each of the first errors. Together that is less than what a process has for parts that nobody measured.
static const intptr_t ForAnError = 64 * K;
static const uint     ErrorsToHandle = 64;

bool H2Exhaustion::_exhausted = false;
volatile uint H2Exhaustion::_errors = 0;
volatile intptr_t H2Exhaustion::_to_handle = 0;

void H2Exhaustion::full_finished(bool is_beyond, size_t limit) {
  if (is_beyond && !_exhausted) {
    _errors = 0;
    _to_handle = 0;
    H2Decisions::warn("The memory limit of %zuM is used up: allocations fail. Give a larger one, a smaller -Xmx%s",
                      limit / M, H2Path == nullptr ? ", or an SSD by H2Path" : "");
    H2SsdWatch::allocation_failed();
  }
  _exhausted = is_beyond;
}

bool H2Exhaustion::takes(intptr_t bytes) {
  const bool is_there = Atomic::sub(&_to_handle, bytes) >= 0;
  if (!is_there) {
    Atomic::add(&_to_handle, bytes);
  }
  return is_there;
}

bool H2Exhaustion::fails(size_t bytes, bool is_tlab) {
  if (!_exhausted) {
    return false;
  }
  return is_tlab || bytes > MostOfSmall || !takes((intptr_t)bytes);
}

// The cause, which the log names, is the only one of a running program at which Parallel clears soft references.
bool H2Exhaustion::fails_after_full_gc() {
  if (_exhausted) {
    Universe::heap()->collect(GCCause::_metadata_GC_clear_soft_refs);
  }
  if (_exhausted && Atomic::add(&_errors, 1u) <= ErrorsToHandle) {
    Atomic::add(&_to_handle, ForAnError);
  }
  return _exhausted;
}
