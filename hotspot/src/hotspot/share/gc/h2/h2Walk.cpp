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
#include "gc/h2/h2LabelIndices.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Walk.hpp"
#include "runtime/mutex.hpp"
#include "runtime/mutexLocker.hpp"

jlong H2Walk::_next_label = H2OwnLabels::FirstRow;

static Mutex* rows_lock() {
  static Mutex* const lock = new Mutex(Mutex::nosafepoint, "H2Walk_lock");
  return lock;
}

H2Walk::H2Walk(H2LabelIndices* labels) :
  _labels(labels), _large(labels->index_of(H2OwnLabels::Arrays)), _where(), _takes_written(false), _takes_arrays(false) {}

void H2Walk::restrict_to(MemRegion where, bool takes_written, bool takes_arrays) {
  _where = where;
  _takes_written = takes_written;
  _takes_arrays = takes_arrays;
}

uint H2Walk::next_row() {
  MutexLocker ml(rows_lock(), Mutex::_no_safepoint_check_flag);
  return _labels->index_of(_next_label--);
}

// A row fits into a run, with what pads it.
size_t H2Walk::row_words() {
  const size_t run = H2Allocator::longest_run() * H2Heap::regions()->region_words();
  return run - MIN2(run / 2, 2 * H2Allocator::grain_words());
}
