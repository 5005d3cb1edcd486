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

#ifndef HOTSPOT_TEST_UNITS_TOYHEAP_HPP
#define HOTSPOT_TEST_UNITS_TOYHEAP_HPP

// Two heaps that are arrays, with objects of the simplest form: a word for size and kind, then fields. units_test.sh
// puts this in place of h2Heap.hpp and of what stands around the units that are tried.

#include "toy.hpp"

class Klass {};

// A field is a word, and null or an object. Arrays of numbers have words that look like anything.
class oopDesc {
 public:
  enum Kind : uint32_t { Instance, Objects, Numbers };

  uint32_t _words;
  Kind     _kind;

  size_t size() const       { return _words; }
  bool is_objArray() const  { return _kind == Objects; }
  bool is_typeArray() const { return _kind == Numbers; }
  Klass* klass() const      { return nullptr; }
  oopDesc** field(size_t i) { return (oopDesc**)this + 1 + i; }
  size_t fields() const     { return _kind == Numbers ? 0 : _words - 1; }
};
typedef oopDesc* oop;

template <typename T> T cast_from_oop(oop obj) { return (T)(void*)obj; }
inline oop cast_to_oop(const void* p)          { return (oop)(void*)p; }

template <typename Function>
void h2_iterate_fields(oop obj, MemRegion part, Function f) {
  for (size_t i = 0; i < obj->fields(); i++) {
    if (part.contains(obj->field(i)) && *obj->field(i) != nullptr) {
      f(obj->field(i), *obj->field(i));
    }
  }
}

template <typename Function>
void h2_iterate_fields(oop obj, Function f) { h2_iterate_fields(obj, MemRegion((HeapWord*)obj, obj->size()), f); }

class CardTable {
 public:
  typedef uint8_t CardValue;

 private:
  MemRegion              _range;
  std::vector<CardValue> _cards;

 public:
  explicit CardTable(MemRegion range) : _range(range), _cards(range.byte_size() >> card_shift(), clean_card_val()) {}
  static constexpr CardValue clean_card_val()     { return 0xff; }
  static constexpr CardValue dirty_card_val()     { return 0; }
  static constexpr intptr_t clean_card_row_val()  { return -1; }
  static constexpr uint card_shift()              { return 9; }
  static constexpr size_t card_size_in_words()    { return 64; }
  static constexpr uint card_size()               { return 512; }
  CardValue* byte_for(const void* p)              { return &_cards[pointer_delta(p, _range.start(), 1) >> card_shift()]; }
  HeapWord* addr_for(const CardValue* card)       { return _range.start() + (card - _cards.data()) * card_size_in_words(); }
};

struct BOTConstants {
  static const uint Base = 16;
  static const uint N_powers = 14;
  static size_t power_to_cards_back(uint i)         { return (size_t)1 << (4 * i); }
  static size_t entry_to_cards_back(uint8_t entry)  { return power_to_cards_back(entry - 64); }
};

class H2ObjectStarts;

// Remembers what was given back.
class H2Backend {
 public:
  size_t                                 _unit_bytes = 16 * K;
  std::vector<std::pair<size_t, size_t>> _discarded;  // offset and length

  size_t unit_bytes() const                  { return _unit_bytes; }
  void discard(size_t offset, size_t bytes)  { _discarded.emplace_back(offset, bytes); }
};

class H2RegionTable;

class H2Heap : AllStatic {
 public:
  static MemRegion       _range;
  static MemRegion       _young;
  static CardTable*      _cards;
  static H2ObjectStarts* _starts;
  static H2Backend*      _backend;
  static H2RegionTable*  _regions;

  static bool contains(const void* p)  { return _range.contains(p); }
  static HeapWord* start()             { return _range.start(); }
  static size_t capacity()             { return _range.byte_size(); }
  static CardTable* cards()            { return _cards; }
  static H2ObjectStarts* starts()      { return _starts; }
  static H2Backend* backend()          { return _backend; }
  static H2RegionTable* regions()      { return _regions; }
};

class H2Collectors : AllStatic {
 public:
  static bool is_young(oop obj) { return H2Heap::_young.contains(obj); }
};

// Nobody looks at shapes here.
class H2Shapes : AllStatic {
 public:
  static void note_stale(const void*) {}
  static void settle(const void*)     {}
  static void drop(MemRegion)         {}
};
static const size_t H2ShapeBlockBytes = 16 * K;

class H2WrittenClasses : AllStatic {
 public:
  static void note_write(Klass*) {}
};

// A dead object has no words.
class WeakHandle {
  oop _object;

 public:
  WeakHandle() : _object(nullptr) {}
  WeakHandle(void*, oop object) : _object(object) {}
  oop peek() const     { return _object->_words == 0 ? nullptr : _object; }
  void release(void*)  { _object = nullptr; }
};
struct Universe { static void* vm_weak() { return nullptr; } };

#endif // HOTSPOT_TEST_UNITS_TOYHEAP_HPP
