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
#include "gc/shared/gc_globals.hpp"
#include "logging/log.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"

volatile uint64_t              H2ShapeBatch::_next_id = 1;
volatile uint                  H2ShapeUnpacker::_without_memory = 0;
H2ShapeUnpacker* volatile      H2ShapeUnpacker::_all = nullptr;
THREAD_LOCAL H2ShapeUnpacker*  H2ShapeUnpacker::_current = nullptr;

H2ShapeBatch* H2ShapeBatch::make(uint32_t blocks, size_t length, const void* packed, size_t packed_length) {
  H2ShapeBatch* const batch = (H2ShapeBatch*)os::malloc(bytes_for(packed_length), mtH2Tables);
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

// The reserve stays as it is: writing to it would take memory.
H2ShapeUnpacker::H2ShapeUnpacker() : _unpacked(), _next(Atomic::load(&_all)), _is_taken(false), _asked(0), _in_reserve(0) {
  H2ShapeUnpacker* seen;
  while ((seen = Atomic::cmpxchg(&_all, _next, this)) != _next) {
    _next = seen;
  }
}

void H2ShapeUnpacker::initialize(uint threads) {
  for (uint i = 0; i < threads; i++) {
    new H2ShapeUnpacker();
  }
}

// If there are more threads than were foreseen, one more.
H2ShapeUnpacker* H2ShapeUnpacker::take() {
  for (;;) {
    for (H2ShapeUnpacker* unpacker = Atomic::load(&_all); unpacker != nullptr; unpacker = unpacker->_next) {
      if (!unpacker->_is_taken && !Atomic::cmpxchg(&unpacker->_is_taken, false, true)) {
        return unpacker;
      }
    }
    new H2ShapeUnpacker();
  }
}

H2ShapeUnpacker* H2ShapeUnpacker::current() {
  if (_current == nullptr) {
    _current = take();
  }
  return _current;
}

// False if there is no memory. H2Stress finds none now and then.
bool H2ShapeUnpacker::make_room(Unpacked* unpacked, size_t bytes) {
  if (unpacked->_capacity >= bytes) {
    return true;
  }
  void* const room = H2Stress && ++_asked % 4 == 0 ? nullptr : os::realloc(unpacked->_bytes, bytes, mtGC);
  if (room == nullptr) {
    return false;
  }
  *unpacked = Unpacked{0, (uint8_t*)room, bytes};
  return true;
}

uint8_t* H2ShapeUnpacker::unpack_to_reserve(const H2ShapeBatch* batch) {
  if (_in_reserve != batch->id()) {
    batch->unpack(_reserve);
    _in_reserve = batch->id();
    Atomic::inc(&_without_memory, memory_order_relaxed);
  }
  return _reserve;
}

uint8_t* H2ShapeUnpacker::unpack(const H2ShapeBatch* batch) {
  Unpacked* const unpacked = &_unpacked[batch->id() % Batches];
  if (unpacked->_id == batch->id()) {
    return unpacked->_bytes;
  }
  if (!make_room(unpacked, batch->length())) {
    return unpack_to_reserve(batch);
  }
  batch->unpack(unpacked->_bytes);
  unpacked->_id = batch->id();
  return unpacked->_bytes;
}

uint8_t* H2ShapeUnpacker::shape(const H2ShapeBatch* batch, size_t block) {
  return batch->find(unpack(batch), block);
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
  const uint without = Atomic::xchg(&_without_memory, 0u);
  if (without > 0) {
    log_info(gc, h2)("No memory for %u batches of shapes: unpacked by reserves", without);
  }
}
