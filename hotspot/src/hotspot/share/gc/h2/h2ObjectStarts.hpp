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

#ifndef SHARE_GC_H2_H2OBJECTSTARTS_HPP
#define SHARE_GC_H2_H2OBJECTSTARTS_HPP

#include "gc/shared/cardTable.hpp"
#include "memory/allocation.hpp"
#include "memory/memRegion.hpp"
#include "utilities/globalDefinitions.hpp"

// Where objects of H2 start, with a byte for each card. It tells of the block that the card's first word lies in: how many
// words before the card it starts, if that is less than a card. Else it tells how many cards to go back, as a power of
// BOTConstants::Base, to a byte that knows more. Memory for bytes is taken as they are written.
//
// By any worker. A byte has one writer: whoever puts the block there that crosses the card's begin.
class H2ObjectStarts : public CHeapObj<mtGC> {
  const MemRegion _range;
  uint8_t* const  _entries;

  static uint8_t* make_entries(MemRegion range);

  uint8_t* entry(const HeapWord* p) const { return _entries + (pointer_delta(p, _range.start(), 1) >> CardTable::card_shift()); }
  HeapWord* card(const uint8_t* entry) const {
    return _range.start() + pointer_delta(entry, _entries, 1) * CardTable::card_size_in_words();
  }
  void note(HeapWord* start, HeapWord* boundary, HeapWord* end);

 public:
  // For all of H2.
  explicit H2ObjectStarts(MemRegion range) : _range(range), _entries(make_entries(range)) {}

  // A block, which is an object, a filler or a gap, takes [start, end) now.
  inline void update_for_block(HeapWord* start, HeapWord* end);
  // Start of the block that the first word of p's card lies in.
  inline HeapWord* block_start_reaching_into_card(HeapWord* p) const;
  // Start of the object that p lies in. There must be no gap between the card's begin and p.
  inline HeapWord* object_start(HeapWord* p) const;
  // The memory of the bytes for a part of H2.
  MemRegion entries(MemRegion part) const;
};

#endif // SHARE_GC_H2_H2OBJECTSTARTS_HPP
