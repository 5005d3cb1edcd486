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

bool H2Targets::has_card(size_t block, H2Cards::CardValue value) {
  const H2Cards::CardValue* const first = H2Heap::cards()->byte_for(H2Shapes::address(block));
  const H2Cards::CardValue* const end = first + (H2ShapeBlockBytes >> CardTable::card_shift());
  for (const H2Cards::CardValue* c = first; c < end; c++) {
    if (*c == value) {
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

static int compare_addresses(HeapWord* const& a, HeapWord* const& b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Each target once, in the order of addresses.
uint32_t H2Targets::put_targets(const References& references, GrowableArrayCHeap<HeapWord*, mtGC>* targets, H2ByteBuffer* to) {
  for (const Reference& reference : references) {
    targets->append(reference._target);
  }
  targets->sort([](HeapWord** a, HeapWord** b) { return compare_addresses(*a, *b); });
  HeapWord* before = H2Heap::h1().start();
  int count = 0;
  for (HeapWord* target : *targets) {
    if (count == 0 || target != before) {
      to->set_end(H2Varint::put(to->room(H2Varint::MostBytes), pointer_delta(target, before)));
      targets->at_put(count++, target);
      before = target;
    }
  }
  targets->trunc_to(count);
  return checked_cast<uint32_t>(count);
}

void H2Targets::put_places(size_t block, const References& references, const GrowableArrayCHeap<HeapWord*, mtGC>& targets,
                           H2ByteBuffer* to) {
  char* before = (char*)H2Shapes::address(block);
  for (const Reference& reference : references) {
    bool found;
    const int target = targets.find_sorted<HeapWord*, compare_addresses>(reference._target, found);
    assert(found && reference._place >= before, "its target is there, and references come by their places");
    uint8_t* const at = H2Varint::put(to->room(2 * H2Varint::MostBytes), (uint64_t)(reference._place - before) >> LogPlaceBytes);
    to->set_end(H2Varint::put(at, (uint64_t)target));
    before = reference._place;
  }
}

// Without memory, the next full GC reads the block.
void H2Targets::set(size_t block, const References& references) {
  forget(block);
  H2ShapeChunk* const chunk = H2ShapeTable::make_chunk(block);
  if (chunk == nullptr) {
    return;
  }
  GrowableArrayCHeap<HeapWord*, mtGC> targets;
  H2ByteBuffer bytes;
  const uint32_t count = put_targets(references, &targets, &bytes);
  const size_t without_places = bytes.length();
  put_places(block, references, targets, &bytes);
  const bool has_places = may_take(sizeof(List) + bytes.length());
  const size_t length = has_places ? bytes.length() : without_places;
  const size_t size = sizeof(List) + length;
  List* const known = has_places || may_take(size) ? (List*)os::malloc(size, mtH2Tables) : nullptr;
  if (known == nullptr) {
    return;
  }
  Atomic::add(&_bytes, size);
  known->_bytes = checked_cast<uint32_t>(length);
  known->_targets = count;
  known->_references = has_places ? checked_cast<uint32_t>(references.length()) : 0;
  if (length > 0) {
    memcpy(known + 1, bytes.data(), length);
  }
  chunk->_targets[H2ShapeTable::index(block)] = known;
  chunk->_flags[H2ShapeTable::index(block)] |= H2Shapes::TargetsKnown;
}

void H2Targets::renew(size_t block, const References& references) {
  if (references.is_empty() && !has_card(block, H2Cards::old_card) && !has_card(block, CardTable::dirty_card_val())) {
    forget(block);
    return;
  }
  set(block, references);
  H2Cards::CardValue* const first = H2Heap::cards()->byte_for(H2Shapes::address(block));
  H2Cards::CardValue* const end = first + (H2ShapeBlockBytes >> CardTable::card_shift());
  for (H2Cards::CardValue* c = first; c < end; c++) {
    if (*c == CardTable::dirty_card_val()) {
      *c = H2Cards::old_card;
    }
  }
}

void H2Targets::references(size_t block, References* to) {
  assert(has_places(block), "somebody asked");
  const List* const known = list(block);
  GrowableArrayCHeap<HeapWord*, mtGC> targets(checked_cast<int>(known->_targets));
  const uint8_t* at = each(block, [&](oop target) { targets.append(cast_from_oop<HeapWord*>(target)); });
  char* place = (char*)H2Shapes::address(block);
  for (uint32_t i = 0; i < known->_references; i++) {
    uint64_t distance;
    uint64_t number;
    at = H2Varint::get(H2Varint::get(at, &distance), &number);
    place += distance << LogPlaceBytes;
    to->append(Reference{place, targets.at(checked_cast<int>(number))});
  }
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
