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

#ifndef SHARE_GC_H2_H2OBJECTSTARTS_INLINE_HPP
#define SHARE_GC_H2_H2OBJECTSTARTS_INLINE_HPP

#include "gc/h2/h2ObjectStarts.hpp"

#include "gc/shared/blockOffsetTable.hpp"
#include "oops/oop.inline.hpp"
#include "utilities/align.hpp"

inline void H2ObjectStarts::update_for_block(HeapWord* start, HeapWord* end) {
  HeapWord* const boundary = align_up(start, CardTable::card_size());
  if (boundary < end) {
    note(start, boundary, end);
  }
}

inline HeapWord* H2ObjectStarts::block_start_reaching_into_card(HeapWord* p) const {
  const uint8_t* e = entry(p);
  // Read once each: another thread may write it.
  uint8_t offset = *e;
  while (offset >= CardTable::card_size_in_words()) {
    e -= BOTConstants::entry_to_cards_back(offset);
    offset = *e;
  }
  return card(e) - offset;
}

inline HeapWord* H2ObjectStarts::object_start(HeapWord* p) const {
  HeapWord* block = block_start_reaching_into_card(p);
  for (HeapWord* next; (next = block + cast_to_oop(block)->size()) <= p; ) {
    block = next;
  }
  return block;
}

#endif // SHARE_GC_H2_H2OBJECTSTARTS_INLINE_HPP
