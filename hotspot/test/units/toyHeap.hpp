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

struct CompressedOops { static uint32_t narrow_oop_value(oop) { assert(false, "none is compressed"); return 0; } };

enum DecoratorSet { IS_NOT_NULL };
template <DecoratorSet> struct RawAccess { static void oop_store(oop* p, oop value) { *p = value; } };

// Where objects of H1 move in a full GC.
class FullGCForwarding : AllStatic {
 public:
  static std::unordered_map<oop, oop>& moves()  { static std::unordered_map<oop, oop> all; return all; }
  static bool is_forwarded(oop obj)             { return moves().count(obj) > 0; }
  static oop forwardee(oop obj)                 { return moves().at(obj); }
};

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

struct H2Patch {
  uint32_t _offset;
  uint32_t _from;
  uint32_t _to;
};

// Remembers what was given back. All of H2 is in memory.
class H2Backend {
 public:
  size_t                                 _unit_bytes = 16 * K;
  std::vector<std::pair<size_t, size_t>> _discarded;  // offset and length

  size_t unit_bytes() const                  { return _unit_bytes; }
  void discard(size_t offset, size_t bytes)  { _discarded.emplace_back(offset, bytes); }
  bool patch(size_t, const H2Patch*, size_t) { return false; }
};

class H2RegionTable;

class H2Heap : AllStatic {
 public:
  static MemRegion       _range;
  static MemRegion       _h1;
  static MemRegion       _young;
  static CardTable*      _cards;
  static H2ObjectStarts* _starts;
  static H2Backend*      _backend;
  static H2RegionTable*  _regions;

  static bool is_enabled()             { return true; }
  static bool contains(const void* p)  { return _range.contains(p); }
  static HeapWord* start()             { return _range.start(); }
  static MemRegion h1()                { return _h1; }
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

static const size_t H2ShapeBlockBytes = 16 * K;

struct H2ShapeChunk {
  static const size_t Blocks = 16;

  void*   _targets[Blocks];
  uint8_t _flags[Blocks];
};

class H2ShapeTable : AllStatic {
  static std::vector<H2ShapeChunk*>& chunks() { static std::vector<H2ShapeChunk*> all; return all; }

 public:
  static size_t length()                   { return chunks().size(); }
  static size_t index(size_t block)        { return block % H2ShapeChunk::Blocks; }
  static H2ShapeChunk* chunk(size_t block) {
    const size_t i = block / H2ShapeChunk::Blocks;
    return i < length() ? chunks()[i] : nullptr;
  }
  static H2ShapeChunk* make_chunk(size_t block) {
    if (chunk(block) == nullptr) {
      void* const memory = os::malloc(sizeof(H2ShapeChunk), mtH2Tables);
      chunks().resize(MAX2(length(), block / H2ShapeChunk::Blocks + 1));
      chunks()[block / H2ShapeChunk::Blocks] = memory == nullptr ? nullptr : ::new (memory) H2ShapeChunk();
    }
    return chunk(block);
  }
};

// Nobody looks at shapes here. A block has what H2Targets knows of it.
class H2Shapes : AllStatic {
 public:
  enum Flag : uint8_t { TargetsKnown = 64 };

  static size_t block_words()          { return H2ShapeBlockBytes / HeapWordSize; }
  static size_t block(const void* p)   { return pointer_delta((HeapWord*)p, H2Heap::start()) / block_words(); }
  static HeapWord* address(size_t n)   { return H2Heap::start() + n * block_words(); }
  static size_t used_chunks()          { return H2ShapeTable::length(); }
  static uint8_t flags(size_t block) {
    const H2ShapeChunk* const chunk = H2ShapeTable::chunk(block);
    return chunk == nullptr ? 0 : chunk->_flags[H2ShapeTable::index(block)];
  }
  static void note_stale(const void* p) {
    H2ShapeChunk* const chunk = H2ShapeTable::chunk(block(p));
    if (chunk != nullptr) {
      chunk->_flags[H2ShapeTable::index(block(p))] &= (uint8_t)~TargetsKnown;
    }
  }
  static void note_stale_shape(const void*) {}
  static void settle(const void*)           {}
  static void drop(MemRegion)               {}
};

class H2WrittenClasses : AllStatic {
 public:
  static void note_write(Klass*) {}
};

// No GC looks through H2, and no object returns.
struct H2References { static void note_write() {} };
struct H2Returner   { static bool redirect(oop*, oop*) { return false; } };
struct H2HotObjects { static void refer_back(void*) {} };

struct H2Liveness {
  static bool is_looking() { return false; }
  template <typename Worker> static void reach(oop*, oop, Worker*) {}
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
