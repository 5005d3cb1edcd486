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
#include "gc/h2/h2Filler.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "memory/universe.hpp"
#include "oops/klass.inline.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/align.hpp"
#include "utilities/copy.hpp"

// The class may be unloaded, and must not be read.
static bool is_primitive_array_class(const Klass* klass) {
  for (int type = T_BOOLEAN; type <= T_LONG; type++) {
    if (klass == Universe::typeArrayKlass((BasicType)type)) {
      return true;
    }
  }
  return false;
}

// A larger array that is dead is worth to compress its unit again.
static const size_t MostPlainBytes = 256;

// Is all of [start, end) one small array that refers to nothing? It can stay as it is, and its
// page unwritten.
static bool is_plain(HeapWord* start, HeapWord* end) {
  if (pointer_delta(end, start, 1) > MostPlainBytes) {
    return false;
  }
  const oop obj = cast_to_oop(start);
  if (!is_primitive_array_class(obj->klass_without_asserts())) {
    return false;
  }
  return start + obj->size() == end;
}

// Has an earlier look, or a move, left [start, end) like that?
static bool is_filler(HeapWord* start, HeapWord* end) {
  const oop obj = cast_to_oop(start);
  return obj->klass_without_asserts() == Universe::fillerArrayKlass() && start + obj->size() == end;
}

// Where the first unit ends, if it is not all of it.
static HeapWord* end_of_first_unit(HeapWord* start, HeapWord* end) {
  const size_t unit = H2Heap::backend()->unit_bytes();
  HeapWord* const unit_start = align_down(start, unit);
  HeapWord* const unit_end = unit_start + (unit >> LogHeapWordSize);
  return start == unit_start && unit_end <= end ? start : MIN2(unit_end, end);
}

// Nobody reads more of a filler than its header. The engine would have to compress the rest as it is.
static void clear_body(HeapWord* start, HeapWord* end) {
  static const size_t MaxHeaderWords = 3;

  HeapWord* const body = MIN2(start + MaxHeaderWords, end);
  if (body < end) {
    Copy::zero_to_words(body, pointer_delta(end, body));
  }
}

void H2Filler::fill_gap(HeapWord* start, HeapWord* end) {
  if (!is_filler(start, end) && !is_plain(start, end)) {
    fill(start, end);
  }
}

void H2Filler::fill(HeapWord* start, HeapWord* end) {
  CollectedHeap::fill_with_objects(start, pointer_delta(end, start), false /* zap */);
  if (start + cast_to_oop(start)->size() == end) {
    clear_body(start, end_of_first_unit(start, end));
  }
  for (HeapWord* p = start; p < end; ) {
    HeapWord* const next = p + cast_to_oop(p)->size();
    H2Heap::starts()->update_for_block(p, next);
    p = next;
  }
}
