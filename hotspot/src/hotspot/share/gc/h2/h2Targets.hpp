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

// Objects of H1 to which a block of H2 refers. A full GC that does not look marks them, and reads the block only if one of
// them moves. A program whose objects all refer to a few that it writes to would else have each full GC read all of H2.
//
// A full GC knows them once it has adjusted the block's references. Once the program has written to the block nobody does,
// until the next full GC. A reference belongs to the block of the card that remembers it (see H2Cards).
//
// A list has each target once. Lists take a part of the memory limit at most. All at a safepoint. Several threads may work on
// different regions.
class H2Targets : AllStatic {
  struct List {
    uint32_t _bytes;    // that follow: distances in words, as varints, from the start of H1 or from the target before
    uint32_t _targets;

    const uint8_t* bytes() const { return (const uint8_t*)(this + 1); }
  };

  static volatile size_t _bytes;   // of all lists

  static bool may_take(size_t bytes);
  static bool has_dirty_card(size_t block);
  static List* list(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? nullptr : (List*)chunk->_targets[H2ShapeTable::index(block)];
  }
  static void free_list(H2ShapeChunk* chunk, size_t i);

 public:
  // Whether the list has all of them.
  static bool are_known(size_t block) {
    return (H2Shapes::flags(block) & H2Shapes::TargetsKnown) != 0 && !has_dirty_card(block);
  }
  // Calls f with each, in the order of addresses. They must be known.
  template <typename Function>
  static void each(size_t block, Function f);

  // Takes the targets of all references of the block, and sorts them.
  static void set(size_t block, GrowableArrayCHeap<HeapWord*, mtGC>* targets);
  static void forget(size_t block);
  // The bytes that lists take.
  static size_t bytes()    { return Atomic::load(&_bytes); }
  // At the end of a full GC: frees lists that hold no more.
  static void prune();
};

template <typename Function>
void H2Targets::each(size_t block, Function f) {
  const List* const known = list(block);
  const uint8_t* at = known->bytes();
  HeapWord* target = H2Heap::h1().start();
  for (uint32_t i = 0; i < known->_targets; i++) {
    uint64_t distance;
    at = H2Varint::get(at, &distance);
    target += distance;
    f(cast_to_oop(target));
  }
}

#endif // SHARE_GC_H2_H2TARGETS_HPP
