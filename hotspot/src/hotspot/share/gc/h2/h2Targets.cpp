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
#include "gc/h2/h2Limits.hpp"
#include "gc/h2/h2Targets.hpp"
#include "gc/shared/gc_globals.hpp"
#include "runtime/atomic.hpp"
#include "runtime/os.hpp"

volatile size_t H2Targets::_bytes = 0;

// A full GC reads blocks without a list.
bool H2Targets::may_take(size_t bytes) {
  static const size_t MostPart = 32;
  static volatile uint asked = 0;
  if (H2Stress && Atomic::fetch_then_add(&asked, 1u) % 16 == 0) {
    return false;
  }
  return Atomic::load(&_bytes) + bytes <= H2Limits::memory_limit() / MostPart;
}

bool H2Targets::has_dirty_card(size_t block) {
  const H2Cards::CardValue* const first = H2Heap::cards()->byte_for(H2Shapes::address(block));
  const H2Cards::CardValue* const end = first + (H2ShapeBlockBytes >> CardTable::card_shift());
  for (const H2Cards::CardValue* c = first; c < end; c++) {
    if (*c == CardTable::dirty_card_val()) {
      return true;
    }
  }
  return false;
}

void H2Targets::free_list(H2ShapeChunk* chunk, size_t i) {
  List* const known = (List*)chunk->_targets[i];
  if (known != nullptr) {
    Atomic::sub(&_bytes, sizeof(List) + known->_bytes);
    os::free(known);
    chunk->_targets[i] = nullptr;
  }
}

void H2Targets::forget(size_t block) {
  H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
  if (chunk != nullptr) {
    free_list(chunk, H2ShapeTable::index(block));
    chunk->_flags[H2ShapeTable::index(block)] &= (uint8_t)~H2Shapes::TargetsKnown;
  }
}

// Without memory, the next full GC reads the block.
void H2Targets::set(size_t block, GrowableArrayCHeap<HeapWord*, mtGC>* targets) {
  forget(block);
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  if (chunk == nullptr || has_dirty_card(block)) {
    return;
  }
  targets->sort([](HeapWord** a, HeapWord** b) { return *a < *b ? -1 : *a > *b ? 1 : 0; });
  H2ByteBuffer bytes;
  HeapWord* before = H2Heap::h1().start();
  uint32_t count = 0;
  for (HeapWord* target : *targets) {
    if (count == 0 || target != before) {
      bytes.set_end(H2Varint::put(bytes.room(H2Varint::MostBytes), pointer_delta(target, before)));
      before = target;
      count++;
    }
  }
  const size_t size = sizeof(List) + bytes.length();
  List* const known = may_take(size) ? (List*)os::malloc(size, mtH2Tables) : nullptr;
  if (known == nullptr) {
    return;
  }
  Atomic::add(&_bytes, size);
  known->_bytes = checked_cast<uint32_t>(bytes.length());
  known->_targets = count;
  memcpy(known + 1, bytes.data(), bytes.length());
  chunk->_targets[H2ShapeTable::index(block)] = known;
  chunk->_flags[H2ShapeTable::index(block)] |= H2Shapes::TargetsKnown;
}

void H2Targets::prune() {
  for (size_t i = 0; i < H2Shapes::used_chunks(); i++) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(i * H2ShapeChunk::Blocks);
    if (chunk == nullptr) {
      continue;
    }
    for (size_t block = 0; block < H2ShapeChunk::Blocks; block++) {
      if ((chunk->_flags[block] & H2Shapes::TargetsKnown) == 0) {
        free_list(chunk, block);
      }
    }
  }
}
