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

#ifndef SHARE_GC_H2_H2ALLOCATOR_HPP
#define SHARE_GC_H2_H2ALLOCATOR_HPP

#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

class H2Region;

// Hands out the address space of H2 during a move. Each label fills one open
// region at a time. Workers take local allocation buffers (LABs) from it, so
// that they meet at the lock rarely and write to different units.
//
// Every LAB and every large object starts at a unit, because units are what is
// submitted. Behind the last object the row of objects goes on with a filler to
// the end of the unit (pad_end).
class H2Allocator : AllStatic {
  struct Open {
    jlong     _label;
    H2Region* _region;
  };

  static GrowableArrayCHeap<Open, mtGC>* _open;  // the open region of each label
  static size_t _budget;                         // bytes that the backend will take

  static H2Region* open_region(jlong label, size_t words);
  static Open* find(jlong label);
  static MemRegion bump(H2Region* region, size_t words);

 public:
  static size_t lab_words();
  static size_t unit_words();
  // End of the filler behind an object that ends at p.
  static HeapWord* pad_end(HeapWord* p);

  // Before a move: asks the backend how much it can take.
  static void prepare(size_t budget_bytes);
  static size_t budget() { return _budget; }

  // A LAB for an object of so many words, and for as many as wanted, but for no more than
  // lab_words. An empty MemRegion when H2 or the backend is full.
  static MemRegion allocate_lab(jlong label, size_t least, size_t wanted);
  // Space for one object of more than half a LAB, padded to units.
  static MemRegion allocate_large(jlong label, size_t words);
  // Takes back what a LAB did not use. Returns what has to be made a filler.
  static MemRegion retire(MemRegion lab, HeapWord* top);

  // Forgets open regions that died, or are about to.
  static void forget_freed();
};

// A worker's LAB for one label.
class H2Lab {
  MemRegion _space;
  HeapWord* _top;

 public:
  H2Lab() : _space(), _top(nullptr) {}
  explicit H2Lab(MemRegion space) : _space(space), _top(space.start()) {}

  HeapWord* allocate(size_t words);
  MemRegion space() const  { return _space; }
  HeapWord* top() const    { return _top; }
  bool is_empty() const    { return _space.is_empty(); }
};

#endif // SHARE_GC_H2_H2ALLOCATOR_HPP
