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

#ifndef SHARE_GC_H2_H2SHAPEBATCH_HPP
#define SHARE_GC_H2_H2SHAPEBATCH_HPP

#include "gc/h2/h2ShapeTable.hpp"
#include "memory/allStatic.hpp"
#include "memory/allocation.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/population_count.hpp"

// Each shape lies behind its length.
typedef uint32_t H2ShapeLength;

// Shapes of blocks of one chunk, joined and compressed. A block whose shape changes leaves the batch. Its bytes stay
// until no block is left, or until the batch is made anew (see H2ShapePacker).
class H2ShapeBatch {
  uint64_t          _id;       // that no other batch has, nor will have
  volatile uint32_t _live;     // blocks that have not left
  uint32_t          _blocks;   // of the chunk, by bits, that it was made of
  uint32_t          _length;   // of their shapes
  uint32_t          _packed;   // bytes that follow

  static volatile uint64_t _next_id;

 public:
  // The engine compresses so many bytes of shapes at once.
  static const size_t MostBytes = 64 * K;

  // Null if there is no memory.
  static H2ShapeBatch* make(uint32_t blocks, size_t length, const void* packed, size_t packed_length);

  static size_t bytes_for(size_t packed) { return sizeof(H2ShapeBatch) + packed; }

  uint64_t id() const          { return _id; }
  size_t bytes() const         { return bytes_for(_packed); }
  size_t length() const        { return _length; }
  // The bytes that each of its blocks would take by itself, in the mean.
  size_t share() const         { return _length / blocks(); }
  uint32_t blocks() const      { return population_count(_blocks); }
  uint32_t left() const        { return blocks() - _live; }
  // True for the one caller that is the last.
  bool leave();
  void unpack(uint8_t* to) const;
  // The shape of a block among the unpacked ones.
  uint8_t* find(uint8_t* unpacked, size_t block) const;
};

// The batches that a thread has unpacked lately. Marking comes back to blocks, and to those beside them.
//
// A batch may be unpacked when the process is short of memory, and nobody can do without it: its blocks may have gaps, and
// then their objects are known by it alone. So each thread has room for one batch from the start, of which only pages that
// were used take memory.
class H2ShapeUnpacker : public CHeapObj<mtGC> {
  static const uint Batches = 16;

  struct Unpacked {
    uint64_t _id;        // 0 is nobody's
    uint8_t* _bytes;
    size_t   _capacity;
  };

  Unpacked         _unpacked[Batches];
  H2ShapeUnpacker* _next;
  volatile bool    _is_taken;    // by a thread
  uint             _asked;       // for memory
  uint64_t         _in_reserve;  // id of a batch
  uint8_t          _reserve[H2ShapeBatch::MostBytes];

  static volatile uint                       _without_memory;   // batches that were unpacked so, in a full GC
  static H2ShapeUnpacker* volatile           _all;
  static THREAD_LOCAL H2ShapeUnpacker* _current;

  H2ShapeUnpacker();
  static H2ShapeUnpacker* take();
  bool make_room(Unpacked* unpacked, size_t bytes);
  uint8_t* unpack(const H2ShapeBatch* batch);
  uint8_t* unpack_to_reserve(const H2ShapeBatch* batch);
  void free();

 public:
  // For so many threads.
  static void initialize(uint threads);
  // The calling thread's. Threads that collect live as long as the VM.
  static H2ShapeUnpacker* current();
  // The shape of a block of the batch, behind its length. Valid until the thread has asked for shapes of other batches.
  uint8_t* shape(const H2ShapeBatch* batch, size_t block);
  // The calling thread's.
  static void free_own()  { current()->free(); }
  // By the VM thread, while nobody unpacks.
  static void free_all();
};

#endif // SHARE_GC_H2_H2SHAPEBATCH_HPP
