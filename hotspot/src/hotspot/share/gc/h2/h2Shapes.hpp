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
#include "gc/h2/h2ShapeTable.hpp"
#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class H2Region;

// The shapes of all blocks of H2: where objects start, and what each refers to in H2. A look
// marks from them, so that it reads no page that nobody has written to (see H2Liveness).
//
// A shape is made when objects move, and when a look has read its block. It is stale once the
// program has written to the block: what objects refer to is in memory then. Where they start does
// not change, so that part holds still. References to H1 are in no shape: their cards
// are not clean, and a block with such a card is read.
//
// A block whose shape has a gap has dead objects in memory that nobody may read: what they refer
// to, and their classes, may be gone. So settle() comes before each walk through memory, and makes
// them fillers. By then somebody wants the page.
//
// All at a safepoint. Several threads may work on different blocks.
class H2Shapes : AllStatic {
  friend class H2TakenShape;

  enum Flag : uint8_t {
    Stale   = 1,
    Gaps    = 2,
    Reaches = 4    // its last instance ends behind the block
  };

  static HeapWord*       _start;
  static volatile size_t _bytes;

  static const int LogBlockBytes = 14;
  static const int LogBlockWords = LogBlockBytes - LogHeapWordSize;
  STATIC_ASSERT(H2ShapeBlockBytes == (size_t)1 << LogBlockBytes);

  // A shape begins with its length.
  static uint8_t* shape(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? nullptr : chunk->_shapes[H2ShapeTable::index(block)];
  }
  static uint8_t flags(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? 0 : chunk->_flags[H2ShapeTable::index(block)];
  }

  static H2ShapeReader reader(size_t block, const uint8_t* shape);
  static void settle_block(size_t block);
  static void free(uint8_t* shape);

 public:
  static void initialize(MemRegion range);

  static size_t block_words()                  { return (size_t)1 << LogBlockWords; }
  static size_t block(const void* p)           { return pointer_delta((HeapWord*)p, _start) >> LogBlockWords; }
  static HeapWord* address(size_t block)       { return _start + (block << LogBlockWords); }
  // What a shape calls a place.
  static uint64_t word(const HeapWord* p)     { return pointer_delta(p, _start); }
  static HeapWord* at_word(uint64_t word)     { return _start + word; }

  static bool has_shape(size_t block)          { return shape(block) != nullptr; }
  static bool is_stale(size_t block)           { return (flags(block) & Stale) != 0; }
  static bool has_gaps(size_t block)           { return (flags(block) & Gaps) != 0; }
  static bool reaches(size_t block)            { return (flags(block) & Reaches) != 0; }
  static H2ShapeReader reader(size_t block)    { return reader(block, shape(block)); }

  // The program may have written to an object that starts in the block of p, or to an array's elements there.
  static void note_stale(const void* p) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(block(p));
    if (chunk != nullptr) {
      uint8_t* const flags = &chunk->_flags[H2ShapeTable::index(block(p))];
      if ((*flags & Stale) == 0) {
        *flags |= Stale;
      }
    }
  }

  // False if there is no memory; then there is no shape.
  static bool install(size_t block, const uint8_t* bytes, size_t length, bool has_gaps, bool reaches);
  static void drop(size_t block);
  static void drop(MemRegion blocks);

  // Before an object at p is read by somebody who walks through memory.
  static void settle(const void* p) {
    if (has_gaps(block(p))) {
      settle_block(block(p));
    }
  }
  static void settle(const H2Region* region);
  // The same for a shape that found no memory.
  static void settle(size_t block, uint8_t* bytes, size_t length);

  // A store of null hides nothing that lives, so the stock barrier leaves it out. But a shape that misses
  // it keeps what is dead.
  static bool need_null_stores() { return H2Heap::is_enabled(); }

  // What they take.
  static size_t bytes() { return _bytes; }
};

// The shape of a block that has none from now on.
class H2TakenShape : public StackObj {
  const size_t   _block;
  uint8_t* const _shape;

 public:
  explicit H2TakenShape(size_t block) : _block(block), _shape(H2Shapes::shape(block)) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    chunk->_shapes[H2ShapeTable::index(block)] = nullptr;
    chunk->_flags[H2ShapeTable::index(block)] = 0;
  }
  ~H2TakenShape() { H2Shapes::free(_shape); }

  H2ShapeReader reader() const { return H2Shapes::reader(_block, _shape); }
};

#endif // SHARE_GC_H2_H2SHAPES_HPP
