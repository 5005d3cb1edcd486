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

#ifndef SHARE_GC_H2_H2TARGETSKEEPER_HPP
#define SHARE_GC_H2_H2TARGETSKEEPER_HPP

#include "gc/h2/h2Targets.hpp"
#include "memory/allocation.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

// Keeps what is known of the blocks of a region (see H2Targets), as dirty cards are read: a block's list gets what was read in place
// of what it had there. A block gets its first list if only dirty cards remember references of it. A list without places is not
// kept. Used by one thread, during one scan of the region's cards.
class H2TargetsKeeper : public StackObj {
  // An instance, or a part of an array. All of its references were read.
  struct Part {
    HeapWord* _from;
    HeapWord* _to;
  };
  struct Found {
    size_t               _block;
    H2Targets::Reference _reference;
  };

  size_t                           _block;      // of the part that is read
  bool                             _keeps;      // its list
  GrowableArrayCHeap<size_t, mtGC> _new;        // blocks without a list, whose references are all read
  GrowableArrayCHeap<size_t, mtGC> _expected;   // blocks whose lists are wanted, though nothing of them may be read
  GrowableArrayCHeap<Part, mtGC>   _parts;      // in the order of addresses
  GrowableArrayCHeap<Found, mtGC>  _found;
  H2Targets::References            _before;
  H2Targets::References            _after;

  static int compare(Found* a, Found* b);
  bool is_new(size_t block) const { return !_new.is_empty() && _new.last() == block; }
  bool begin(size_t block);
  static bool is_same(const H2Targets::References& a, const H2Targets::References& b);
  int add_rest(int part, size_t block);
  int add_found(int found, size_t block);
  size_t next_block(int part, int* expected) const;
  void renew(size_t block, int* part, int* found);

 public:
  H2TargetsKeeper() : _block(SIZE_MAX), _keeps(false), _new(), _expected(), _parts(), _found(), _before(), _after() {}

  // The references from here to there, which come next, count for the block of `from`.
  void at(HeapWord* from, HeapWord* to);
  // One of them is to this object of H1.
  void found(void* p, oop target) {
    if (_keeps) {
      _found.append(Found{_block, H2Targets::Reference{(char*)p, cast_from_oop<HeapWord*>(target)}});
    }
  }
  // Has finish() call f also if nothing of the block is read: its dirty cards may have no reference that counts for it. It has places.
  void expect(size_t block) { _expected.append(block); }
  // The scan has ended. Calls f with all references of each block whose list was kept.
  template <typename Function>
  void finish(Function f);
};

template <typename Function>
void H2TargetsKeeper::finish(Function f) {
  _found.sort(compare);
  int part = 0;
  int found = 0;
  int expected = 0;
  while (part < _parts.length() || expected < _expected.length()) {
    const size_t block = next_block(part, &expected);
    renew(block, &part, &found);
    f(_after);
  }
}

#endif // SHARE_GC_H2_H2TARGETSKEEPER_HPP
