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

// Where objects start, and what cards of H2 remember. Random objects and writes; after each scan, cards still tell of
// all that refers back to H1. Built and run by units_test.sh.

#include "gc/h2/h2Cards.inline.hpp"
#include "gc/h2/h2LabelParts.cpp"
#include "gc/h2/h2ObjectStarts.cpp"
#include "gc/h2/h2Region.cpp"

#include "check.hpp"
#include <map>

static const size_t Words = 20 * K;

static HeapWord h2[Words + 64];
static HeapWord old_objects[64];
static HeapWord young_objects[64];

MemRegion       H2Heap::_range;
MemRegion       H2Heap::_young;
CardTable*      H2Heap::_cards;
H2ObjectStarts* H2Heap::_starts;

static H2Region         region;
static std::vector<oop> objects;

static bool is_young(oop obj) { return H2Heap::_young.contains(obj); }
static oop random_old()       { return (oop)&old_objects[below(64)]; }
static oop random_young()     { return (oop)&young_objects[below(64)]; }

// A row of objects of all kinds, small ones and some that span cards. No field has a value yet.
static void fill_region() {
  objects.clear();
  HeapWord* p = H2Heap::start();
  HeapWord* const end = p + Words - below(100);
  while (p < end) {
    const size_t wanted = below(20) == 0 ? 2 + below(500) : 2 + below(20);
    const size_t words = MIN2(wanted, pointer_delta(end, p));
    oop const obj = cast_to_oop(p);
    *obj = oopDesc{(uint32_t)words, (oopDesc::Kind)below(3)};
    memset((void*)(p + 1), 0, (words - 1) * HeapWordSize);
    objects.push_back(obj);
    H2Heap::_starts->update_for_block(p, p + words);
    p += words;
  }
  region.free();
  region.start_run(1, 0, 1, H2Heap::start(), H2Heap::start() + Words);
  region.set_top(end);
}

static void fresh() {
  HeapWord* const start = align_up(h2, 512);
  H2Heap::_range = MemRegion(start, Words);
  H2Heap::_young = MemRegion(young_objects, 64);
  H2Heap::_cards = new CardTable(H2Heap::_range);
  H2Heap::_starts = new H2ObjectStarts(H2Heap::_range);
  fill_region();
}

typedef H2Cards::CardValue CardValue;

static CardValue* card(const void* p) { return H2Heap::cards()->byte_for(p); }

// As the barrier does: the card of an element, but that of the header or of the field for an instance.
static void write(oop obj, size_t i, oop value) {
  *obj->field(i) = value;
  *card(obj->is_objArray() || below(2) == 0 ? (void*)obj->field(i) : (void*)obj) = CardTable::dirty_card_val();
}

static void write_somewhere(size_t times) {
  for (size_t n = 0; n < times; n++) {
    oop const obj = objects[below(objects.size())];
    if (obj->fields() > 0) {
      const size_t kind = below(4);
      write(obj, below(obj->fields()), kind == 0 ? nullptr : kind == 1 ? objects[below(objects.size())] : kind == 2 ? random_old() : random_young());
    }
  }
}

template <typename Function>
static void each_field(Function f) {
  for (oop obj : objects) {
    for (size_t i = 0; i < obj->fields(); i++) {
      f(obj, obj->field(i));
    }
  }
}

// The stronger of what its cards say. Nothing else may be asked of an array's header.
static CardValue remembered(oop obj, oop* field) {
  const CardValue own = *card(field);
  const CardValue header = obj->is_objArray() ? own : *card(obj);
  return own == CardTable::dirty_card_val() || header == CardTable::dirty_card_val() ? CardTable::dirty_card_val() : MIN2(own, header);
}

static void check_all_is_remembered() {
  each_field([](oop obj, oop* field) {
    if (*field != nullptr && !H2Heap::contains(*field)) {
      const CardValue known = remembered(obj, field);
      check(known != CardTable::clean_card_val(), "a backward reference has a card");
      check(!is_young(*field) || known == CardTable::dirty_card_val(), "a reference to a young object has a dirty one");
    }
  });
}

struct Seen {
  std::map<oop*, int> _times;
  std::vector<CardValue> _before;

  Seen() : _times(), _before(card(H2Heap::start()), card(H2Heap::start()) + (Words >> 6)) {}
  CardValue before(const void* p) const { return _before[card(p) - card(H2Heap::start())]; }
};

// A young GC: what was young is old, or survives once more.
class YoungVisitor : public H2CardVisitor<YoungVisitor> {
  Seen* const _seen;

 public:
  explicit YoungVisitor(Seen* seen) : _seen(seen) {}
  static bool wants(CardValue v) { return v == CardTable::dirty_card_val(); }
  template <typename T> uint visit_h2(T* p, oop) { _seen->_times[p]++; return H2Cards::None; }
  template <typename T> uint visit_h1(T* p, oop obj) {
    _seen->_times[p]++;
    if (is_young(obj)) {
      *p = below(2) == 0 ? random_young() : random_old();
    }
    return H2Cards::classify(*p);
  }
};

// A full GC, which visits the cards that are not clean, and moves what it likes.
class FullVisitor : public H2CardVisitor<FullVisitor> {
  Seen* const _seen;

 public:
  explicit FullVisitor(Seen* seen) : _seen(seen) {}
  template <typename T> uint visit_h2(T* p, oop) { _seen->_times[p]++; return H2Cards::None; }
  template <typename T> uint visit_h1(T* p, oop) {
    _seen->_times[p]++;
    *p = random_old();
    return H2Cards::classify(*p);
  }
};

template <typename Visitor>
static void scan_and_check() {
  Seen seen;
  std::map<oop*, bool> was_there;
  each_field([&](oop, oop* field) { was_there[field] = *field != nullptr; });
  Visitor visitor(&seen);
  H2Cards::scan(&region, &visitor);
  each_field([&](oop obj, oop* field) {
    const bool belongs = Visitor::wants(seen.before(field)) || (!obj->is_objArray() && Visitor::wants(seen.before(obj)));
    const int times = seen._times.count(field) > 0 ? seen._times[field] : 0;
    check(times <= 1, "no reference is visited twice");
    check(!belongs || !was_there[field] || times == 1, "each that belongs to a card that is wanted is visited");
    check(times == 0 || !obj->is_objArray() || belongs, "no element of another card is visited");
  });
  check_all_is_remembered();
}

static void what_refers_back_is_remembered() {
  for (int round = 0; round < 300; round++) {
    fresh();
    for (int gc = 0; gc < 8; gc++) {
      write_somewhere(below(3) == 0 ? 400 : below(20));
      if (below(4) == 0) {
        scan_and_check<FullVisitor>();
      } else {
        scan_and_check<YoungVisitor>();
      }
    }
  }
}

// Else cards that are dirty once would be read for ever.
static void what_refers_to_nothing_is_clean() {
  fresh();
  write_somewhere(400);
  each_field([](oop, oop* field) { *field = nullptr; });
  scan_and_check<FullVisitor>();
  const CardValue* const cards = card(H2Heap::start());
  check(std::all_of(cards, cards + (Words >> 6), [](CardValue v) { return v == CardTable::clean_card_val(); }), "all cards are clean again");
}

static void the_more_demanding_state_stays() {
  const CardValue clean = CardTable::clean_card_val();
  const CardValue dirty = CardTable::dirty_card_val();
  const CardValue old = H2Cards::old_card;
  const struct { CardValue before; uint found; CardValue after; } rows[] = {
    {clean, H2Cards::None, clean}, {clean, H2Cards::Old, old},   {clean, H2Cards::Young, dirty},
    {old, H2Cards::None, old},     {old, H2Cards::Old, old},     {old, H2Cards::Young, dirty},
    {dirty, H2Cards::None, dirty}, {dirty, H2Cards::Old, dirty}, {dirty, H2Cards::Young, dirty},
  };
  for (const auto& row : rows) {
    CardValue value = row.before;
    H2Cards::raise(&value, row.found);
    check(value == row.after, "what was, what is found, and what is then");
    check(H2Cards::state(row.found) == (row.found == H2Cards::None ? clean : row.found == H2Cards::Old ? old : dirty), "a card by itself");
  }
}

// The start that is known for each card is that of the object which the card's first word lies in.
static void check_starts() {
  size_t i = 0;
  for (HeapWord* p = H2Heap::start(); p < region.top(); p++) {
    while (i + 1 < objects.size() && (HeapWord*)objects[i + 1] <= p) {
      i++;
    }
    check(H2Heap::starts()->object_start(p) == (HeapWord*)objects[i], "the object at an address");
    if (is_aligned(p, CardTable::card_size())) {
      check(H2Heap::starts()->block_start_reaching_into_card(p + below(64)) == (HeapWord*)objects[i], "the object at a card's begin");
    }
  }
}

static void each_object_is_found() {
  fresh();
  for (int round = 0; round < 50; round++) {
    fill_region();   // where others were
    check_starts();
  }
}

// Longer than sixteen times sixteen cards: three powers.
static void a_long_object_is_found_from_its_end() {
  fresh();
  *cast_to_oop(H2Heap::start()) = oopDesc{7, oopDesc::Numbers};
  *cast_to_oop(H2Heap::start() + 7) = oopDesc{(uint32_t)Words - 7, oopDesc::Numbers};
  H2Heap::starts()->update_for_block(H2Heap::start(), H2Heap::start() + 7);
  H2Heap::starts()->update_for_block(H2Heap::start() + 7, H2Heap::start() + Words);
  for (size_t i = 64; i < Words; i += 64) {
    check(H2Heap::starts()->block_start_reaching_into_card(H2Heap::start() + i) == H2Heap::start() + 7, "from each card");
  }
  check(H2Heap::starts()->object_start(H2Heap::start() + 6) == H2Heap::start(), "the small one before");
}

int main() {
  each_object_is_found();
  a_long_object_is_found_from_its_end();
  the_more_demanding_state_stays();
  what_refers_back_is_remembered();
  what_refers_to_nothing_is_clean();
  return report("cards and object starts");
}
