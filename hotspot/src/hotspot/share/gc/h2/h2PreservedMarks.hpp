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

#ifndef SHARE_GC_H2_H2PRESERVEDMARKS_HPP
#define SHARE_GC_H2_H2PRESERVEDMARKS_HPP

#include "memory/allocation.hpp"
#include "oops/markWord.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

// A header that has more to say than that the object is unlocked: an identity
// hash code or a monitor.
struct H2PreservedMark {
  HeapWord* _object;
  markWord  _mark;

  H2PreservedMark() : _object(nullptr), _mark(0) {}
  H2PreservedMark(oop obj, markWord mark) : _object(cast_from_oop<HeapWord*>(obj)), _mark(mark) {}
};

// The headers of all candidates that have to be preserved, by address: a hash table, as there may be one for each object
// of a graph. Read by any worker once all are added.
class H2PreservedMarks {
  GrowableArrayCHeap<H2PreservedMark, mtGC> _slots;  // an object goes to the first one that is free from its place on
  int                                       _log_slots;

  int first_slot(HeapWord* object) const;
  // The slot of the object, or the free one that it gets.
  int slot_of(HeapWord* object) const;

 public:
  H2PreservedMarks() : _slots(), _log_slots(0) {}

  // Room for so many. Before any is added.
  void reserve(size_t count);
  void add_all(const GrowableArrayCHeap<H2PreservedMark, mtGC>& marks);

  // Makes the CPU fetch a header that is soon asked for.
  void prefetch(oop obj) const;
  // The header that a candidate had before it was claimed.
  markWord of(oop obj, bool is_preserved) const;
};

#endif // SHARE_GC_H2_H2PRESERVEDMARKS_HPP
