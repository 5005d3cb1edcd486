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

#ifndef SHARE_GC_H2_H2CARDS_INLINE_HPP
#define SHARE_GC_H2_H2CARDS_INLINE_HPP

#include "gc/h2/h2Cards.hpp"
#include "gc/h2/h2Collectors.inline.hpp"
#include "gc/h2/h2Fields.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2ObjectStarts.inline.hpp"
#include "gc/h2/h2Region.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2WrittenClasses.hpp"
#include "oops/oop.inline.hpp"

inline void H2Cards::raise(CardValue* card, uint found) {
  if (found & Young) {
    *card = CardTable::dirty_card_val();
  } else if ((found & Old) && *card == CardTable::clean_card_val()) {
    *card = old_card;
  }
}

inline H2Cards::Found H2Cards::classify(oop h1_target) {
  return H2Collectors::is_young(h1_target) ? Young : Old;
}

template <typename Self>
template <typename T>
inline uint H2CardVisitor<Self>::visit(T* p, oop obj) {
  Self* const self = static_cast<Self*>(this);
  return H2Heap::contains(obj) ? self->visit_h2(p, obj) : self->visit_h1(p, obj);
}

// One pass over a region's cards in address order.
template <typename Visitor>
class H2CardScan : public StackObj {
  typedef H2Cards::CardValue CardValue;

  Visitor* const   _visitor;
  CardTable* const _cards;
  HeapWord* const  _top;
  HeapWord*        _scanned;  // end of the last instance that was visited whole

  uint visit_array_part(oop obj, HeapWord* from, HeapWord* to) {
    uint found = H2Cards::None;
    _visitor->at(from, to);
    h2_iterate_fields(obj, MemRegion(from, to), [&](auto* p, oop target) { found |= _visitor->visit(p, target); });
    return found;
  }

  // Instances are visited whole, because the barrier dirties the card of the
  // header whichever field is written.
  uint visit_instance(oop obj, HeapWord* end) {
    take_cards(obj, end);
    uint found = H2Cards::None;
    _visitor->at(cast_from_oop<HeapWord*>(obj), end);
    h2_iterate_fields(obj, [&](auto* p, oop target) { found |= _visitor->visit(p, target); });
    if (found & H2Cards::Written) {
      H2WrittenClasses::note_write(obj->klass());
    }
    _scanned = end;
    return found;
  }

  // Wanted cards that the instance reaches into. One that it covers to the card's end is done with it.
  void take_cards(oop obj, HeapWord* end) {
    CardValue* const last = _cards->byte_for(end - 1);
    for (CardValue* c = _cards->byte_for(obj) + 1; c <= last; c++) {
      if (Visitor::wants(*c)) {
        note_news(c, obj);
        if (_cards->addr_for(c) + CardTable::card_size_in_words() <= end) {
          *c = CardTable::clean_card_val();
        }
      }
    }
  }

  static void note_stale(const void* p) {
    if (Visitor::keeps_targets()) {
      H2Shapes::note_stale_shape(p);
    } else {
      H2Shapes::note_stale(p);
    }
  }

  // References of an instance belong to the shape of the unit in which it begins.
  void note_news(const CardValue* card, oop obj) {
    if (Visitor::is_news(*card)) {
      note_stale(_cards->addr_for(card));
      note_stale(cast_from_oop<void*>(obj));
    }
  }

  void scan_card(CardValue* card) {
    HeapWord* const start = _cards->addr_for(card);
    HeapWord* const end = MIN2(start + CardTable::card_size_in_words(), _top);
    const bool is_news = Visitor::is_news(*card);
    if (is_news) {
      note_stale(start);
    }
    uint found = H2Cards::None;
    HeapWord* p = _scanned > start ? _scanned : H2Heap::starts()->block_start_reaching_into_card(start);
    while (p < end) {
      H2Shapes::settle(p);
      oop obj = cast_to_oop(p);
      HeapWord* const next = p + obj->size();
      if (obj->is_objArray()) {
        found |= visit_array_part(obj, MAX2(p, start), MIN2(next, end));
      } else if (!obj->is_typeArray()) {
        if (p < start) {
          if (is_news) {
            note_stale(p);
          }
          // It counts for the card on which it begins, which was not wanted.
          H2Cards::raise(_cards->byte_for(p), visit_instance(obj, next));
        } else {
          found |= visit_instance(obj, next);
        }
      }
      p = next;
    }
    *card = H2Cards::state(found);
  }

  static const int LineLength = 64;

  // A young GC only looks for cards that are not clean in most regions. So it compares a line of the
  // cache at a time.
  static bool is_clean_line(const CardValue* line) {
    STATIC_ASSERT(CardTable::clean_card_val() == 0xff);
    const intptr_t* const rows = (const intptr_t*)line;
    intptr_t common = rows[0];
    for (size_t i = 1; i < LineLength / sizeof(intptr_t); i++) {
      common &= rows[i];
    }
    return common == CardTable::clean_card_row_val();
  }

 public:
  H2CardScan(H2Region* region, Visitor* visitor) :
    _visitor(visitor), _cards(H2Heap::cards()), _top(region->top()), _scanned(region->bottom()) {}

  void scan(H2Region* region) {
    if (region->bottom() == _top) {
      return;
    }
    CardValue* const end = _cards->byte_for(_top - 1) + 1;
    for (CardValue* c = _cards->byte_for(region->bottom()); c < end; ) {
      if (is_aligned(c, LineLength) && end - c >= LineLength && is_clean_line(c)) {
        c += LineLength;
        continue;
      }
      if (is_aligned(c, sizeof(intptr_t)) && *(intptr_t*)c == CardTable::clean_card_row_val()) {
        c += sizeof(intptr_t);
        continue;
      }
      // A wanted card inside an instance that was visited whole needs nothing.
      if (Visitor::wants(*c) && _cards->addr_for(c) + CardTable::card_size_in_words() > _scanned && !_visitor->skips(_cards->addr_for(c))) {
        scan_card(c);
      }
      c++;
    }
  }
};

template <typename Visitor>
void H2Cards::scan(H2Region* region, Visitor* visitor) {
  H2CardScan<Visitor>(region, visitor).scan(region);
}

#endif // SHARE_GC_H2_H2CARDS_INLINE_HPP
