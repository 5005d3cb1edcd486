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

#include "gc/h2/h2Backend.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ShapeBatch.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"

volatile uint64_t              H2ShapeBatch::_next_id = 1;
H2ShapeUnpacker* volatile      H2ShapeUnpacker::_all = nullptr;
THREAD_LOCAL H2ShapeUnpacker*  H2ShapeUnpacker::_current = nullptr;

H2ShapeBatch* H2ShapeBatch::make(uint32_t blocks, size_t length, const void* packed, size_t packed_length) {
  H2ShapeBatch* const batch = (H2ShapeBatch*)os::malloc(bytes_for(packed_length), mtGC);
  if (batch != nullptr) {
    batch->_id = Atomic::fetch_then_add(&_next_id, (uint64_t)1, memory_order_relaxed);
    batch->_live = population_count(blocks);
    batch->_blocks = blocks;
    batch->_length = checked_cast<uint32_t>(length);
    batch->_packed = checked_cast<uint32_t>(packed_length);
    memcpy(batch + 1, packed, packed_length);
  }
  return batch;
}

bool H2ShapeBatch::leave() {
  return Atomic::sub(&_live, 1u) == 0;
}

void H2ShapeBatch::unpack(uint8_t* to) const {
  H2Heap::backend()->unpack(this + 1, _packed, to, _length);
}

uint8_t* H2ShapeBatch::find(uint8_t* unpacked, size_t block) const {
  const uint32_t bit = 1u << H2ShapeTable::index(block);
  assert((_blocks & bit) != 0, "it is not in the batch");
  for (uint i = population_count(_blocks & (bit - 1)); i > 0; i--) {
    H2ShapeLength length;
    memcpy(&length, unpacked, sizeof(length));
    unpacked += sizeof(length) + length;
  }
  return unpacked;
}

H2ShapeUnpacker::H2ShapeUnpacker() : _unpacked(), _next(Atomic::load(&_all)) {
  H2ShapeUnpacker* seen;
  while ((seen = Atomic::cmpxchg(&_all, _next, this)) != _next) {
    _next = seen;
  }
}

H2ShapeUnpacker* H2ShapeUnpacker::current() {
  if (_current == nullptr) {
    _current = new H2ShapeUnpacker();
  }
  return _current;
}

void H2ShapeUnpacker::unpack(const H2ShapeBatch* batch, Unpacked* to) {
  if (to->_capacity < batch->length()) {
    to->_bytes = REALLOC_C_HEAP_ARRAY(uint8_t, to->_bytes, batch->length(), mtGC);
    to->_capacity = batch->length();
  }
  batch->unpack(to->_bytes);
  to->_id = batch->id();
}

uint8_t* H2ShapeUnpacker::shape(const H2ShapeBatch* batch, size_t block) {
  Unpacked* const unpacked = &_unpacked[batch->id() % Batches];
  if (unpacked->_id != batch->id()) {
    unpack(batch, unpacked);
  }
  return batch->find(unpacked->_bytes, block);
}

void H2ShapeUnpacker::free() {
  for (Unpacked& unpacked : _unpacked) {
    FREE_C_HEAP_ARRAY(uint8_t, unpacked._bytes);
    unpacked = Unpacked();
  }
}

void H2ShapeUnpacker::free_all() {
  for (H2ShapeUnpacker* unpacker = Atomic::load(&_all); unpacker != nullptr; unpacker = unpacker->_next) {
    unpacker->free();
  }
}
