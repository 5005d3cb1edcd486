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


#include "gc/h2/h2Collector.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Written.inline.hpp"
#include "gc/shared/gc_globals.hpp"
#include "memory/allocation.inline.hpp"
#include "utilities/align.hpp"

MemRegion    H2Written::_covered;
CHeapBitMap* H2Written::_cards = nullptr;
bool         H2Written::_is_blurred = false;

// Nothing moves while less of the old generation lives than this part.
static const size_t LeastPart = 4;

void H2Written::begin(MemRegion survivors, bool is_young_empty) {
  if (_cards == nullptr) {
    _cards = ::new (NEW_C_HEAP_OBJ(CHeapBitMap, mtH2Tables)) CHeapBitMap(mtH2Tables);
  }
  const bool may_move = H2Auto && survivors.byte_size() > H2Heap::collector()->use()._old_max / LeastPart;
  _covered = may_move ? survivors : MemRegion();
  _cards->reinitialize(align_up(_covered.byte_size(), CardTable::card_size()) >> CardTable::card_shift());
  _is_blurred = !is_young_empty;
}

void H2Written::note() {
  if (_covered.is_empty()) {
    return;
  }
  if (_is_blurred) {
    _is_blurred = false;
    return;
  }
  const CardTable::CardValue* const first = H2Heap::cards()->byte_for_const(_covered.start());
  const size_t length = _cards->size();
  for (size_t i = 0; i < length; ) {
    if (is_aligned(first + i, sizeof(intptr_t)) && *(const intptr_t*)(first + i) == CardTable::clean_card_row_val()) {
      i += sizeof(intptr_t);
      continue;
    }
    if (first[i] == CardTable::dirty_card_val()) {
      _cards->set_bit(i);
    }
    i++;
  }
}
