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
#include "gc/h2/h2ShapeBatch.hpp"
#include "gc/h2/h2ShapeCode.hpp"
#include "gc/h2/h2ShapeTable.hpp"
#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/globalDefinitions.hpp"

class H2ByteBuffer;
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
// Shapes of blocks that lie together are compressed as one (H2ShapeBatch), and each thread unpacks what it visits.
// They take a part of the memory limit at most: a look reads blocks that have no shape.
//
// All at a safepoint. Several threads may work on different blocks.
class H2Shapes : AllStatic {
 public:
  enum Flag : uint8_t {
    Stale      = 1,
    Gaps       = 2,
    Reaches    = 4,    // its last instance ends behind the block
    ReachesFar = 8,    // by more than a card
    Missing    = 16,   // there is no shape, though something begins in the block
    Whole      = 32,   // a row of objects and nothing else (see H2ShapeWriter), and its numbers are known
    TargetsKnown = 64, // see H2Targets
    Referents  = 128   // of References, to which marking comes later (see H2Referents)
  };

 private:
  static HeapWord*       _start;
  static volatile size_t _bytes;
  static volatile size_t _plain_bytes;

  static const int LogBlockBytes = 14;
  static const int LogBlockWords = LogBlockBytes - LogHeapWordSize;
  STATIC_ASSERT(H2ShapeBlockBytes == (size_t)1 << LogBlockBytes);

  // An entry of the table is null, a shape behind its length, or with this bit a batch.
  static const uintptr_t InBatch = 1;

  static uintptr_t entry(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? 0 : chunk->_shapes[H2ShapeTable::index(block)];
  }

  static H2ShapeReader reader(size_t block, const uint8_t* shape);
  static void settle_block(size_t block);
  static void release(uintptr_t entry);
  static void replace(size_t block, H2ShapeChunk* chunk, uintptr_t entry, uint8_t flags);

 public:
  static void initialize(MemRegion range);

  static size_t block_words()                  { return (size_t)1 << LogBlockWords; }
  static size_t block(const void* p)           { return pointer_delta((HeapWord*)p, _start) >> LogBlockWords; }
  static HeapWord* address(size_t block)       { return _start + (block << LogBlockWords); }
  // The number that a shape has for a place.
  static uint64_t word(const HeapWord* p)     { return pointer_delta(p, _start); }
  static HeapWord* at_word(uint64_t word)     { return _start + word; }

  static bool has_shape(size_t block)          { return entry(block) != 0; }
  static uint8_t flags(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? 0 : chunk->_flags[H2ShapeTable::index(block)];
  }
  static bool is_stale(size_t block)           { return (flags(block) & Stale) != 0; }
  static bool has_gaps(size_t block)           { return (flags(block) & Gaps) != 0; }
  static bool reaches(size_t block)            { return (flags(block) & Reaches) != 0; }
  static bool is_missing(size_t block)         { return (flags(block) & Missing) != 0; }
  static bool has_referents(size_t block)      { return (flags(block) & Referents) != 0; }
  static bool reaches_far(size_t block)        { return (flags(block) & ReachesFar) != 0; }
  // Where the block is whole.
  static size_t objects(size_t block)          { return H2ShapeTable::chunk(block)->_objects[H2ShapeTable::index(block)]; }
  static size_t object_words(size_t block)     { return H2ShapeTable::chunk(block)->_words[H2ShapeTable::index(block)]; }
  // Before the shape is installed with the flag. False if there is no memory.
  static bool note_whole(size_t block, uint32_t objects, uint64_t words);
  // Valid until the thread has asked for other shapes.
  static H2ShapeReader reader(size_t block)    { return reader(block, shape(block)); }
  // The same, of a copy.
  static H2ShapeReader copy(size_t block, H2ByteBuffer* to);
  // The block has no shape from now on.
  static H2ShapeReader take(size_t block, H2ByteBuffer* to);
  // Passes by what was carried into the block, and returns where its first entry lies.
  static HeapWord* first_entry(size_t block, H2ShapeReader* reader) {
    reader->skip(reader->carried());
    reader->begin_entries();
    return address(block) + reader->first();
  }

  // For H2ShapePacker. The shape, unpacked, behind its length.
  static uint8_t* shape(size_t block);
  static size_t length(const uint8_t* shape);
  // Null if it is in none.
  static H2ShapeBatch* batch(size_t block) {
    return (entry(block) & InBatch) == 0 ? nullptr : (H2ShapeBatch*)(entry(block) & ~InBatch);
  }
  // The last chunk that was ever in use, and all before it.
  static size_t used_chunks();

  // The program may have written to an object that starts in the block of p, or to an array's elements there.
  static void note_stale(const void* p) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(block(p));
    if (chunk != nullptr) {
      uint8_t* const flags = &chunk->_flags[H2ShapeTable::index(block(p))];
      if ((*flags & (Stale | TargetsKnown)) != Stale) {
        *flags = (*flags | Stale) & (uint8_t)~TargetsKnown;
      }
    }
  }

  // The same, where the caller keeps what is known of the block's references to H1.
  static void note_stale_shape(const void* p) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(block(p));
    if (chunk != nullptr) {
      chunk->_flags[H2ShapeTable::index(block(p))] |= Stale;
    }
  }

  // Whether so much more keeps within the bound.
  static bool may_take(size_t bytes);
  // A shape behind its length. False if there is no memory; then it is missing.
  static bool install(size_t block, const uint8_t* shape, uint8_t flags);
  static void set_missing(size_t block);
  // The block is in a batch, which added() counts once all its blocks are.
  static void install(size_t block, H2ShapeBatch* batch, uint8_t flags);
  static void added(const H2ShapeBatch* batch);
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

  // The bytes that shapes of so many bytes will take that are about to move.
  static size_t expected(size_t moving);
  // So many of the bytes have memory beside their shapes, if a thousand of them take `cost`.
  static size_t fits(size_t bytes, uint cost);
  // The bytes that they take, and would take if they were not compressed.
  static size_t bytes()       { return Atomic::load(&_bytes); }
  static size_t plain_bytes() { return Atomic::load(&_plain_bytes); }
};

#endif // SHARE_GC_H2_H2SHAPES_HPP
