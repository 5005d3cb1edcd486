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

#ifndef SHARE_GC_H2_H2SHAPETABLE_HPP
#define SHARE_GC_H2_H2SHAPETABLE_HPP

#include "memory/allStatic.hpp"
#include "runtime/atomic.hpp"
#include "utilities/globalDefinitions.hpp"

// A block is the piece of H2 that has one shape. The engine's units may be larger or smaller:
// they are what is compressed, resident, or discarded.
static const size_t H2ShapeBlockBytes = 16 * K;

// 16 blocks in a row. Several regions may share them, and so several threads.
struct H2ShapeChunk {
  static const size_t Blocks = 16;

  uintptr_t        _shapes[Blocks];   // see H2Shapes
  void*            _targets[Blocks];  // see H2Targets
  uint32_t         _words[Blocks];    // where H2Shapes::Whole says so: of the objects that begin in the block
  uint16_t         _objects[Blocks];  // the same: how many there are
  uint8_t          _flags[Blocks];
  volatile uint8_t _states[Blocks];   // see H2ShapeMarking
};

// Facts about each block. Chunks are made as H2 comes into use, so a large H2Size costs little.
class H2ShapeTable : AllStatic {
  static H2ShapeChunk* volatile* _chunks;

 public:
  static void initialize(size_t num_blocks);

  // Null if nothing is known of any of its blocks.
  static H2ShapeChunk* chunk(size_t block) { return Atomic::load(&_chunks[chunk_index(block)]); }
  // The same, but null only if there is no memory. By any thread.
  static H2ShapeChunk* make_chunk(size_t block);
  static size_t chunk_index(size_t block)  { return block / H2ShapeChunk::Blocks; }
  static size_t index(size_t block)        { return block % H2ShapeChunk::Blocks; }
};

#endif // SHARE_GC_H2_H2SHAPETABLE_HPP
