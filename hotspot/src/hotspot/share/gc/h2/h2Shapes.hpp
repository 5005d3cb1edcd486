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

#ifndef SHARE_GC_H2_H2SHAPES_HPP
#define SHARE_GC_H2_H2SHAPES_HPP

#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ShapeCode.hpp"
#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class H2Region;

// The shapes of all units of H2: where objects start, and what each refers to in H2. A look
// marks from them, so that it reads no page that nobody has written to (see H2Liveness).
//
// A shape is made when objects move, and when a look has read its unit. It is stale once the
// program has written to the unit: what objects refer to is in memory then. Where they start does
// not change, so that part holds still. References to H1 are in no shape: their cards
// are not clean, and a unit with such a card is read.
//
// A unit whose shape has a gap has dead objects in memory that nobody may read: what they refer
// to, and their classes, may be gone. So settle() comes before each walk through memory, and makes
// them fillers. By then somebody wants the page.
//
// All at a safepoint. Several threads may work on different units.
class H2Shapes : AllStatic {
  friend class H2TakenShape;

  enum Flag : uint8_t {
    Stale   = 1,
    Gaps    = 2,
    Reaches = 4    // its last instance ends behind the unit
  };

  static HeapWord*       _start;
  static int             _shift;      // log2 of the unit's words
  static uint8_t**       _shapes;     // by unit: null if there is none; begins with its length
  static uint8_t*        _flags;      // by unit
  static volatile size_t _bytes;

  static H2ShapeReader reader(size_t unit, const uint8_t* shape);
  static void settle_unit(size_t unit);
  static void free(uint8_t* shape);

 public:
  static void initialize(MemRegion range, size_t unit_bytes);
  // Zeros, of which only pages that are used take memory.
  static uint8_t* reserve_bytes(size_t bytes);

  static size_t num_units(MemRegion range)    { return range.word_size() >> _shift; }
  static size_t unit_words()                  { return (size_t)1 << _shift; }
  static size_t unit(const void* p)           { return pointer_delta((HeapWord*)p, _start) >> _shift; }
  static HeapWord* address(size_t unit)       { return _start + (unit << _shift); }
  // What a shape calls a place.
  static uint64_t word(const HeapWord* p)     { return pointer_delta(p, _start); }
  static HeapWord* at_word(uint64_t word)     { return _start + word; }

  static bool has_shape(size_t unit)          { return _shapes[unit] != nullptr; }
  static bool is_stale(size_t unit)           { return (_flags[unit] & Stale) != 0; }
  static bool has_gaps(size_t unit)           { return (_flags[unit] & Gaps) != 0; }
  static bool reaches(size_t unit)            { return (_flags[unit] & Reaches) != 0; }
  static H2ShapeReader reader(size_t unit)    { return reader(unit, _shapes[unit]); }

  // The program may have written to an object that starts in the unit of p, or to an array's elements there.
  static void note_stale(const void* p) {
    uint8_t* const flags = &_flags[unit(p)];
    if ((*flags & Stale) == 0) {
      *flags |= Stale;
    }
  }

  // False if there is no memory; then there is no shape.
  static bool install(size_t unit, const uint8_t* bytes, size_t length, bool has_gaps, bool reaches);
  static void drop(size_t unit);
  static void drop(MemRegion units);

  // Before an object at p is read by somebody who walks through memory.
  static void settle(const void* p) {
    if (has_gaps(unit(p))) {
      settle_unit(unit(p));
    }
  }
  static void settle(const H2Region* region);
  // The same for a shape that found no memory.
  static void settle(size_t unit, uint8_t* bytes, size_t length);

  // A store of null hides nothing that lives, so the stock barrier leaves it out. But a shape that misses
  // it keeps what is dead.
  static bool need_null_stores() { return H2Heap::is_enabled(); }

  // What they take.
  static size_t bytes() { return _bytes; }
};

// The shape of a unit that has none from now on.
class H2TakenShape : public StackObj {
  const size_t   _unit;
  uint8_t* const _shape;

 public:
  explicit H2TakenShape(size_t unit) : _unit(unit), _shape(H2Shapes::_shapes[unit]) {
    H2Shapes::_shapes[unit] = nullptr;
    H2Shapes::_flags[unit] = 0;
  }
  ~H2TakenShape() { H2Shapes::free(_shape); }

  H2ShapeReader reader() const { return H2Shapes::reader(_unit, _shape); }
};

#endif // SHARE_GC_H2_H2SHAPES_HPP
