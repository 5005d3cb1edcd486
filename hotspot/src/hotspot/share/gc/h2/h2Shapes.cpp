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

#include "gc/h2/h2Arguments.hpp"
#include "gc/h2/h2Filler.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Region.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

HeapWord*       H2Shapes::_start = nullptr;
volatile size_t H2Shapes::_bytes = 0;

void H2Shapes::initialize(MemRegion range) {
  _start = range.start();
  H2ShapeTable::initialize(range.word_size() >> LogBlockWords);
}

typedef uint32_t ShapeLength;

static ShapeLength length_of(const uint8_t* shape) {
  ShapeLength length;
  memcpy(&length, shape, sizeof(length));
  return length;
}

H2ShapeReader H2Shapes::reader(size_t block, const uint8_t* shape) {
  return H2ShapeReader(shape + sizeof(ShapeLength), length_of(shape), word(address(block)));
}

void H2Shapes::free(uint8_t* shape) {
  Atomic::sub(&_bytes, sizeof(ShapeLength) + length_of(shape));
  os::free(shape);
}

// Shapes have so small a part of the memory limit at most. They are not compressed, and a look can do without some.
static const size_t MostPart = 64;

bool H2Shapes::install(size_t block, const uint8_t* bytes, size_t length, bool has_gaps, bool reaches) {
  drop(block);
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  if (chunk == nullptr || Atomic::load(&_bytes) + length > H2Arguments::memory_limit() / MostPart) {
    return false;
  }
  const ShapeLength prefix = checked_cast<ShapeLength>(length);
  uint8_t* const shape = (uint8_t*)os::malloc(sizeof(prefix) + length, mtGC);
  if (shape == nullptr) {
    return false;
  }
  memcpy(shape, &prefix, sizeof(prefix));
  memcpy(shape + sizeof(prefix), bytes, length);
  chunk->_shapes[H2ShapeTable::index(block)] = shape;
  chunk->_flags[H2ShapeTable::index(block)] = (has_gaps ? Gaps : 0) | (reaches ? Reaches : 0);
  Atomic::add(&_bytes, sizeof(prefix) + length);
  return true;
}

void H2Shapes::drop(size_t block) {
  H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
  if (chunk == nullptr) {
    return;
  }
  const size_t i = H2ShapeTable::index(block);
  if (chunk->_shapes[i] != nullptr) {
    free(chunk->_shapes[i]);
    chunk->_shapes[i] = nullptr;
  }
  chunk->_flags[i] = 0;
}

void H2Shapes::drop(MemRegion blocks) {
  const size_t end = block(blocks.end());
  for (size_t i = block(blocks.start()); i < end; i++) {
    drop(i);
  }
}

void H2Shapes::settle(size_t block, uint8_t* bytes, size_t length) {
  H2ShapeReader reader(bytes, length, word(address(block)));
  reader.skip(reader.carried());
  reader.begin_entries();
  HeapWord* p = address(block) + reader.first();
  H2ShapeEntry entry;
  while (reader.next(&entry)) {
    reader.skip(entry._references);
    if (entry._kind == H2ShapeEntry::Gap) {
      H2Filler::fill_gap(p, p + entry._words);
      H2ShapeReader::make_filler(bytes + (reader.entry_head() - bytes));
    }
    p += entry._words;
  }
}

void H2Shapes::settle_block(size_t block) {
  uint8_t* const known = shape(block);
  settle(block, known + sizeof(ShapeLength), length_of(known));
  H2ShapeTable::chunk(block)->_flags[H2ShapeTable::index(block)] &= (uint8_t)~Gaps;
}

void H2Shapes::settle(const H2Region* region) {
  const size_t end = block(region->top());
  for (size_t i = block(region->bottom()); i < end; i++) {
    if (has_gaps(i)) {
      settle_block(i);
    }
  }
}
