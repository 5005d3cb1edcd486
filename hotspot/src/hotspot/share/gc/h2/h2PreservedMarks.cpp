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

#include "gc/h2/h2PreservedMarks.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/prefetch.inline.hpp"
#include "utilities/powerOfTwo.hpp"

void H2PreservedMarks::reserve(size_t count) {
  assert(_slots.is_empty(), "once");
  if (count > 0) {
    // Half of them stay free, so that few are looked at for an object.
    _log_slots = log2i_ceil(2 * count);
    _slots.at_grow(checked_cast<int>((size_t)1 << _log_slots) - 1, H2PreservedMark());
  }
}

// Fibonacci hashing: the upper bits of the product depend on all bits of the address.
inline int H2PreservedMarks::first_slot(HeapWord* object) const {
  return (int)((uint64_t)(uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15) >> (64 - _log_slots));
}

int H2PreservedMarks::slot_of(HeapWord* object) const {
  int slot = first_slot(object);
  while (_slots.at(slot)._object != nullptr && _slots.at(slot)._object != object) {
    slot = (slot + 1) & (_slots.length() - 1);
  }
  return slot;
}

void H2PreservedMarks::add_all(const GrowableArrayCHeap<H2PreservedMark, mtGC>& marks) {
  for (const H2PreservedMark& mark : marks) {
    _slots.at_put(slot_of(mark._object), mark);
  }
}

void H2PreservedMarks::prefetch(oop obj) const {
  Prefetch::read(_slots.adr_at(first_slot(cast_from_oop<HeapWord*>(obj))), 0);
}

markWord H2PreservedMarks::of(oop obj, bool is_preserved) const {
  if (!is_preserved) {
    return obj->prototype_mark();
  }
  const H2PreservedMark& found = _slots.at(slot_of(cast_from_oop<HeapWord*>(obj)));
  assert(found._object == cast_from_oop<HeapWord*>(obj), "it was added");
  return found._mark;
}
