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

#ifndef SHARE_GC_H2_H2TARGETS_HPP
#define SHARE_GC_H2_H2TARGETS_HPP

#include "gc/h2/h2Cards.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ShapeCode.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "memory/allStatic.hpp"
#include "oops/oopsHierarchy.hpp"
#include "utilities/growableArray.hpp"

class H2ByteBuffer;

// Objects of H1 to which a block of H2 refers, and the places of its references. A full GC that does not look marks the objects.
// If one moves, it corrects the references (see H2Patcher). So it reads no block of which this is known.
//
// A full GC knows it once it has adjusted the block's references. Where the program writes, a dirty card says so, and the GC that
// reads this card renews the list (see H2TargetsKeeper). A reference belongs to the block of the card that remembers it (see
// H2Cards).
//
// Lists take a part of the memory limit at most. All at a safepoint. Several threads may work on different regions.
class H2Targets : AllStatic {
 public:
  struct Reference {
    char*     _place;    // a field, or an array's element
    HeapWord* _target;
  };
  typedef GrowableArrayCHeap<Reference, mtGC> References;

 private:
  // A list goes on with varints. First comes each target once: its distance in words from the one before, at first from the start of H1.
  // Then the references by their places: the distance from the one before, at first from the start of the block, and the number
  // of the target.
  struct List {
    uint32_t _bytes;
    uint32_t _targets;
    uint32_t _references;   // 0: there was no room for the places

    const uint8_t* bytes() const { return (const uint8_t*)(this + 1); }
  };

  static volatile size_t _bytes;   // of all lists

  static const int LogPlaceBytes = 2;

  static bool may_take(size_t bytes);
  static uint32_t put_targets(const References& references, GrowableArrayCHeap<HeapWord*, mtGC>* targets, H2ByteBuffer* to);
  static void put_places(size_t block, const References& references, const GrowableArrayCHeap<HeapWord*, mtGC>& targets, H2ByteBuffer* to);
  static bool has_card(size_t block, H2Cards::CardValue value);
  static List* list(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? nullptr : (List*)chunk->_targets[H2ShapeTable::index(block)];
  }
  static void free_list(H2ShapeChunk* chunk, size_t i);

 public:
  // Whether the list has all of them, but for those that dirty cards remember.
  static bool has_list(size_t block)   { return (H2Shapes::flags(block) & H2Shapes::TargetsKnown) != 0; }
  // Whether it has their places, too.
  static bool has_places(size_t block) { return has_list(block) && (list(block)->_references > 0 || list(block)->_targets == 0); }
  // Whether the list has all of them.
  static bool are_known(size_t block)  { return has_list(block) && !has_card(block, CardTable::dirty_card_val()); }
  // Whether a card remembers references that no GC has to read.
  static bool has_old_card(size_t block) { return has_card(block, H2Cards::old_card); }
  // Calls f with each target, in the order of addresses. They must be known. Returns where places follow.
  template <typename Function>
  static const uint8_t* each(size_t block, Function f);
  // By their places.
  static int compare(Reference* a, Reference* b) { return a->_place < b->_place ? -1 : a->_place > b->_place ? 1 : 0; }
  // All references that the block's list has, with their places and by these.
  static void references(size_t block, References* to);

  // Takes all references of the block, by their places.
  static void set(size_t block, const References& references);
  // The same, where all of the block was read that lives: no card of it has news any more. It needs no list if all are clean.
  static void renew(size_t block, const References& references);
  static void forget(size_t block);
  // The bytes that lists take.
  static size_t bytes()    { return Atomic::load(&_bytes); }
  // At the end of a full GC: frees lists that hold no more.
  static void prune();
};

template <typename Function>
const uint8_t* H2Targets::each(size_t block, Function f) {
  const List* const known = list(block);
  const uint8_t* at = known->bytes();
  HeapWord* target = H2Heap::h1().start();
  for (uint32_t i = 0; i < known->_targets; i++) {
    uint64_t distance;
    at = H2Varint::get(at, &distance);
    target += distance;
    f(cast_to_oop(target));
  }
  return at;
}

#endif // SHARE_GC_H2_H2TARGETS_HPP
