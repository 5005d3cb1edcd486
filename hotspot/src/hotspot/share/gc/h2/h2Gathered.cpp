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

#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Gathered.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/shared/fullGCForwarding.inline.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/align.hpp"

MemRegion H2Gathered::_rows[Kept];
uint      H2Gathered::_count = 0;

// Of the old generation, and of the DRAM that H2 has, which gives up what H1 takes.
static const size_t Part = 4;

size_t H2Gathered::most() {
  const size_t old_max = H2Heap::collector()->use()._old_max;
  return (H2Limits::shares_budget() ? MIN2(old_max, H2Budget::h2_bytes()) : old_max) / Part;
}

size_t H2Gathered::bytes() {
  size_t sum = 0;
  for (uint i = 0; i < _count; i++) {
    sum += _rows[i].byte_size();
  }
  return sum;
}

// A full GC that copies hot objects reads pages, and takes lists, before anything is free. Where the limit is nearly used up, the
// kernel would kill the process for that.
static size_t left_for_copies() {
  const size_t left = H2Budget::left_bytes();
  const size_t spared = H2Limits::memory_limit() / 16;
  return left == SIZE_MAX ? left : (left - MIN2(left, spared)) / 2;
}

// Half of what there may be, so that the last ones stay when others come. The old generation may hold garbage still.
size_t H2Gathered::room() {
  const H2HeapUse h1 = H2Heap::collector()->use();
  const size_t usable = h1._old_max / 4 * 3;
  return MIN3(most() / 2, usable - MIN2(usable, h1._old_used), left_for_copies());
}

void H2Gathered::forget_oldest() {
  for (uint i = 1; i < _count; i++) {
    _rows[i - 1] = _rows[i];
  }
  _count--;
}

void H2Gathered::add(MemRegion row) {
  while (_count > 0 && (_count == Kept || bytes() + row.byte_size() > most())) {
    forget_oldest();
  }
  _rows[_count++] = row;
}

// Bytes that a word of the collector's marks stands for.
static size_t grain() { return (size_t)BitsPerWord << LogMinObjAlignmentInBytes; }

static HeapWord* place_of(HeapWord* p) {
  const oop obj = cast_to_oop(p);
  return FullGCForwarding::is_forwarded(obj) ? cast_from_oop<HeapWord*>(FullGCForwarding::forwardee(obj)) : p;
}

void H2Gathered::slide() {
  uint kept = 0;
  for (uint i = 0; i < _count; i++) {
    const MemRegion row = _rows[i];
    HeapWord* const first = H2Collectors::first_marked(row.start(), align_up(row.end(), grain()));
    if (first < row.end()) {
      HeapWord* const last = H2Collectors::last_marked(align_down(row.start(), grain()), row.end() - MinObjAlignment);
      _rows[kept++] = MemRegion(place_of(first), place_of(last) + cast_to_oop(last)->size());
    }
  }
  _count = kept;
}
