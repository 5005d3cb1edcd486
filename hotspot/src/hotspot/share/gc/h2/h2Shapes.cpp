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

#include "gc/h2/h2ByteBuffer.hpp"
#include "gc/h2/h2Filler.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2RegionTable.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2ShapesRule.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"
#include "utilities/align.hpp"

HeapWord*       H2Shapes::_start = nullptr;
volatile size_t H2Shapes::_bytes = 0;
volatile size_t H2Shapes::_plain_bytes = 0;

void H2Shapes::initialize(MemRegion range) {
  _start = range.start();
  H2ShapeTable::initialize(range.word_size() >> LogBlockWords);
  // The workers, the VM thread, and the one that marks beside the program.
  H2ShapeUnpacker::initialize(ParallelGCThreads + 2);
}

size_t H2Shapes::used_chunks() {
  const H2RegionTable* const regions = H2Heap::regions();
  return align_up(regions->limit() * regions->region_words(), H2ShapeChunk::Blocks << LogBlockWords) /
         (H2ShapeChunk::Blocks << LogBlockWords);
}

size_t H2Shapes::length(const uint8_t* shape) {
  H2ShapeLength length;
  memcpy(&length, shape, sizeof(length));
  return length;
}

static size_t whole_length(const uint8_t* shape) {
  return sizeof(H2ShapeLength) + H2Shapes::length(shape);
}

uint8_t* H2Shapes::shape(size_t block) {
  H2ShapeBatch* const packed = batch(block);
  return packed == nullptr ? (uint8_t*)entry(block) : H2ShapeUnpacker::current()->shape(packed, block);
}

H2ShapeReader H2Shapes::reader(size_t block, const uint8_t* shape) {
  return H2ShapeReader(shape + sizeof(H2ShapeLength), length(shape), word(address(block)));
}

H2ShapeReader H2Shapes::copy(size_t block, H2ByteBuffer* to) {
  const uint8_t* const known = shape(block);
  to->clear();
  to->append(known, whole_length(known));
  return reader(block, to->data());
}

H2ShapeReader H2Shapes::take(size_t block, H2ByteBuffer* to) {
  const H2ShapeReader reader = copy(block, to);
  drop(block);
  return reader;
}

// A block no longer has what the table had.
void H2Shapes::release(uintptr_t entry) {
  if ((entry & InBatch) != 0) {
    H2ShapeBatch* const batch = (H2ShapeBatch*)(entry & ~InBatch);
    Atomic::sub(&_plain_bytes, batch->share());
    const size_t bytes = batch->bytes();
    if (batch->leave()) {
      os::free(batch);
      Atomic::sub(&_bytes, bytes);
    }
  } else if (entry != 0) {
    const size_t bytes = whole_length((uint8_t*)entry);
    os::free((void*)entry);
    Atomic::sub(&_plain_bytes, bytes);
    Atomic::sub(&_bytes, bytes);
  }
}

void H2Shapes::replace(size_t block, H2ShapeChunk* chunk, uintptr_t entry, uint8_t flags) {
  const size_t i = H2ShapeTable::index(block);
  release(chunk->_shapes[i]);
  chunk->_shapes[i] = entry;
  chunk->_flags[i] = flags | (chunk->_flags[i] & TargetsKnown);
}

static H2ShapesSnapshot snapshot() {
  return H2ShapesSnapshot{H2Shapes::bytes(), H2Heap::used(), H2Limits::memory_limit()};
}

bool H2Shapes::may_take(size_t bytes) {
  static volatile uint asked = 0;
  if (H2Stress && Atomic::fetch_then_add(&asked, 1u) % 16 == 0) {
    return false;
  }
  return H2ShapesRule::may_take(snapshot(), bytes);
}

size_t H2Shapes::expected(size_t moving) {
  return H2ShapesRule::expected(snapshot(), moving);
}

size_t H2Shapes::fits(size_t bytes, uint cost) {
  return H2ShapesRule::fits(snapshot(), bytes, cost);
}

bool H2Shapes::install(size_t block, const uint8_t* shape, uint8_t flags) {
  drop(block);
  const size_t bytes = whole_length(shape);
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  uint8_t* const copy = chunk != nullptr && may_take(bytes) ? (uint8_t*)os::malloc(bytes, mtGC) : nullptr;
  if (copy == nullptr) {
    set_missing(block);
    return false;
  }
  memcpy(copy, shape, bytes);
  Atomic::add(&_bytes, bytes);
  Atomic::add(&_plain_bytes, bytes);
  replace(block, chunk, (uintptr_t)copy, flags);
  return true;
}

void H2Shapes::set_missing(size_t block) {
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  if (chunk != nullptr) {
    replace(block, chunk, 0, Missing);
  }
}

bool H2Shapes::note_whole(size_t block, uint32_t objects, uint64_t words) {
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  if (chunk == nullptr || words > UINT32_MAX) {
    return false;
  }
  chunk->_objects[H2ShapeTable::index(block)] = checked_cast<uint16_t>(objects);
  chunk->_words[H2ShapeTable::index(block)] = checked_cast<uint32_t>(words);
  return true;
}

void H2Shapes::install(size_t block, H2ShapeBatch* batch, uint8_t flags) {
  replace(block, H2ShapeTable::chunk(block), (uintptr_t)batch | InBatch, flags);
}

void H2Shapes::added(const H2ShapeBatch* batch) {
  Atomic::add(&_bytes, batch->bytes());
  Atomic::add(&_plain_bytes, batch->share() * batch->blocks());
}

void H2Shapes::drop(size_t block) {
  H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
  if (chunk != nullptr) {
    replace(block, chunk, 0, 0);
  }
}

void H2Shapes::drop(MemRegion blocks) {
  const size_t end = block(blocks.end());
  for (size_t i = block(blocks.start()); i < end; i++) {
    drop(i);
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(i);
    if (chunk != nullptr) {
      chunk->_flags[H2ShapeTable::index(i)] = 0;
    }
  }
}

void H2Shapes::settle(size_t block, uint8_t* bytes, size_t length) {
  H2ShapeReader reader(bytes, length, word(address(block)));
  HeapWord* p = first_entry(block, &reader);
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

// It leaves its batch. If there is no memory for it as it is now, memory says all.
void H2Shapes::settle_block(size_t block) {
  uint8_t* const known = shape(block);
  settle(block, known + sizeof(H2ShapeLength), length(known));
  const uint8_t settled = flags(block) & (uint8_t)~Gaps;
  if (batch(block) == nullptr) {
    H2ShapeTable::chunk(block)->_flags[H2ShapeTable::index(block)] = settled;
  } else {
    install(block, known, settled);
  }
}

void H2Shapes::settle(const H2Region* region) {
  const size_t end = block(region->top());
  for (size_t i = block(region->bottom()); i < end; i++) {
    if (has_gaps(i)) {
      settle_block(i);
    }
  }
}
