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
#include "gc/h2/h2Collector.inline.hpp"
#include "gc/h2/h2Heap.hpp"
#include "gc/h2/h2Region.hpp"
#include "gc/h2/h2Shapes.hpp"
#include "gc/h2/h2WrittenClasses.hpp"
#include "memory/iterator.inline.hpp"
#include "oops/access.inline.hpp"
#include "oops/compressedOops.inline.hpp"
#include "oops/oop.inline.hpp"
#include "runtime/atomic.hpp"

inline void H2Cards::raise(CardValue* card, uint found) {
  if (found & Young) {
    *card = CardTable::dirty_card_val();
  } else if ((found & Old) && *card == CardTable::clean_card_val()) {
    // Atomic, because a worker of a young GC may be dirtying the card.
    Atomic::cmpxchg(card, (CardValue)CardTable::clean_card_val(), old_card);
  }
}

inline H2Cards::Found H2Cards::classify(oop h1_target) {
  return H2Collector::is_young(h1_target) ? Young : Old;
}

template <typename Self>
template <typename T>
inline uint H2CardVisitor<Self>::visit(T* p) {
  T value = RawAccess<>::oop_load(p);
  if (CompressedOops::is_null(value)) {
    return H2Cards::None;
  }
  Self* const self = static_cast<Self*>(this);
  oop obj = CompressedOops::decode_not_null(value);
  return H2Heap::contains(obj) ? self->visit_h2(p, obj) : self->visit_h1(p, obj);
}

// Adapts a visitor to object iteration.
template <typename Visitor>
class H2VisitedFields : public BasicOopIterateClosure {
  Visitor* const _visitor;
  uint           _found;

 public:
  explicit H2VisitedFields(Visitor* visitor) : _visitor(visitor), _found(H2Cards::None) {}
  void do_oop(oop* p) override       { _found |= _visitor->visit(p); }
  void do_oop(narrowOop* p) override { _found |= _visitor->visit(p); }
  uint found() const                 { return _found; }
};

// One pass over a region's cards in address order.
template <typename Visitor>
class H2CardScan : public StackObj {
  typedef H2Cards::CardValue CardValue;
  typedef H2VisitedFields<Visitor> Fields;

  Visitor* const   _visitor;
  CardTable* const _cards;
  HeapWord* const  _top;
  HeapWord*        _scanned;  // end of the last instance that was visited whole
  CardValue*       _pending;  // its last card, given up but not visited yet

  uint visit_array_part(oop obj, HeapWord* from, HeapWord* to) {
    Fields fields(_visitor);
    obj->oop_iterate(&fields, MemRegion(from, to));
    return fields.found();
  }

  // Instances are visited whole, because the barrier dirties the card of the
  // header whichever field is written.
  uint visit_instance(oop obj, HeapWord* end) {
    CardValue* const last = _cards->byte_for(end - 1);
    for (CardValue* c = _cards->byte_for(obj) + 1; c <= last; c++) {
      if (Visitor::wants(*c)) {
        note_news(c, obj);
        give_up(c, last);
      }
    }
    Fields fields(_visitor);
    obj->oop_iterate(&fields);
    if (fields.found() & H2Cards::Written) {
      H2WrittenClasses::note_write(obj->klass());
    }
    _scanned = end;
    return fields.found();
  }

  // References of an instance belong to the shape of the unit in which it begins.
  void note_news(const CardValue* card, oop obj) {
    if (Visitor::is_news(*card)) {
      H2Shapes::note_stale(_cards->addr_for(card));
      H2Shapes::note_stale(cast_from_oop<void*>(obj));
    }
  }

  // A wanted card that the instance reaches into. All of it but the last is done
  // with the instance. It is given up before references are handed out: from then
  // on another worker may dirty it again, and that must not be lost.
  void give_up(CardValue* card, CardValue* last) {
    if (Visitor::Concurrent) {
      *card = H2Cards::old_card;
      _pending = card == last ? card : _pending;
    } else if (card != last) {
      *card = CardTable::clean_card_val();
    }
  }

  // An instance that begins on an earlier card, which was not wanted.
  uint visit_instance_from_before(oop obj, HeapWord* end) {
    CardValue* const home = _cards->byte_for(obj);
    if (Visitor::Concurrent) {
      H2Cards::raise(home, H2Cards::Old);
    }
    const uint found = visit_instance(obj, end);
    if (!Visitor::Concurrent) {
      H2Cards::raise(home, found);
    }
    return found;
  }

  void scan_card(CardValue* card) {
    HeapWord* const start = _cards->addr_for(card);
    HeapWord* const end = MIN2(start + CardTable::card_size_in_words(), _top);
    // References of an instance that reaches in here were handed out already,
    // so other workers may be dirtying this card: it is not ours to write.
    const bool shared = _scanned > start;
    const bool is_news = Visitor::is_news(*card);
    if (is_news) {
      H2Shapes::note_stale(start);
    }
    if (Visitor::Concurrent && !shared) {
      *card = H2Cards::old_card;
    }
    uint own = H2Cards::None;     // counts for this card
    uint before = H2Cards::None;  // counts for an earlier one
    HeapWord* p = shared ? _scanned : H2Heap::starts()->block_start_reaching_into_card(start);
    while (p < end) {
      H2Shapes::settle(p);
      oop obj = cast_to_oop(p);
      HeapWord* const next = p + obj->size();
      if (obj->is_objArray()) {
        own |= visit_array_part(obj, MAX2(p, start), MIN2(next, end));
      } else if (!obj->is_typeArray()) {
        if (p < start) {
          if (is_news) {
            H2Shapes::note_stale(p);
          }
          before |= visit_instance_from_before(obj, next);
        } else {
          own |= visit_instance(obj, next);
        }
      }
      p = next;
    }
    settle(card, own, before, shared);
  }

  static const int LineLength = 64;

  // Of cards that belong together in memory, most of which are clean at most times:
  // looking for others is all that a young GC does with clean regions.
  static bool is_clean_line(const CardValue* line) {
    STATIC_ASSERT(CardTable::clean_card_val() == 0xff);
    const intptr_t* const rows = (const intptr_t*)line;
    intptr_t common = rows[0];
    for (size_t i = 1; i < LineLength / sizeof(intptr_t); i++) {
      common &= rows[i];
    }
    return common == CardTable::clean_card_row_val();
  }

  void settle(CardValue* card, uint own, uint before, bool shared) {
    if (!Visitor::Concurrent) {
      *card = H2Cards::state(own);
    } else if ((own | before) == H2Cards::None && !shared) {
      // Nothing here was handed to another worker, so nobody can have dirtied it.
      *card = CardTable::clean_card_val();
    }
  }

 public:
  H2CardScan(H2Region* region, Visitor* visitor) :
    _visitor(visitor), _cards(H2Heap::cards()), _top(region->top()), _scanned(region->bottom()), _pending(nullptr) {}

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
      if ((Visitor::wants(*c) || c == _pending) && _cards->addr_for(c) + CardTable::card_size_in_words() > _scanned) {
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
