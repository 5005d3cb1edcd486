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


#ifndef SHARE_GC_H2_H2WALK_HPP
#define SHARE_GC_H2_H2WALK_HPP

#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"

class H2LabelIndices;
class Klass;

// A walk through the old generation that takes what nobody has tagged: which objects it takes,
// and in which rows they lie in H2.
//
// A row is what a worker took one after the other, about a run of regions long, and a label of
// its own. Objects that die or are written together were mostly built together, and mostly lie in one row.
class H2Walk : public StackObj {
  static jlong _next_label;

  H2LabelIndices* const _labels;
  const uint            _large;           // label index
  MemRegion             _where;
  bool                  _takes_written;
  bool                  _takes_arrays;

 public:
  // Arrays of references of so many bytes are containers that grow, or tables into which the
  // program goes on writing.
  static const size_t LargeArrayBytes = 32 * K;

  explicit H2Walk(H2LabelIndices* labels);

  // Before a walk.
  void restrict_to(MemRegion where, bool takes_written, bool takes_arrays);
  MemRegion where() const { return _where; }
  inline bool takes(oop obj, Klass* klass, size_t words) const;

  // The label indices of a new row, by any worker, and of objects too large for rows.
  uint next_row();
  uint large() const { return _large; }
  static size_t row_words();
};

#endif // SHARE_GC_H2_H2WALK_HPP
