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

#ifndef SHARE_GC_H2_H2SHAPECODE_HPP
#define SHARE_GC_H2_H2SHAPECODE_HPP

// The code names nothing of HotSpot, so that hotspot/test/rules_test.cpp can try it by itself.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Numbers as bytes, seven bits each, the low ones first. Small numbers are short.
class H2Varint {
 public:
  static const size_t MostBytes = 10;

  // Writes to `to`, and returns where the next one goes.
  static uint8_t* put(uint8_t* to, uint64_t value) {
    while (value >= 0x80) {
      *to++ = (uint8_t)(value | 0x80);
      value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
  }

  static const uint8_t* get(const uint8_t* from, uint64_t* value) {
    uint64_t result = *from & 0x7f;
    for (unsigned shift = 7; (*from++ & 0x80) != 0; shift += 7) {
      result |= (uint64_t)(*from & 0x7f) << shift;
    }
    *value = result;
    return from;
  }

  static const uint8_t* skip(const uint8_t* from, uint64_t count) {
    while (count > 0) {
      count -= (*from++ & 0x80) == 0 ? 1 : 0;
    }
    return from;
  }

  // Differences: those around 0, of either sign, become small numbers.
  static uint64_t fold(uint64_t difference)  { return (difference << 1) ^ (uint64_t)((int64_t)difference >> 63); }
  static uint64_t unfold(uint64_t folded)    { return (folded >> 1) ^ (0 - (folded & 1)); }
};

// Something that lies in a row from one word of a block to another.
struct H2ShapeEntry {
  enum Kind : uint8_t {
    Object,
    Spanning,  // an array of references that ends in another block
    Filler,    // nothing: a filler is in memory
    Gap        // nothing: memory still has dead objects there, which nobody may read
  };

  // Says what the first reference is.
  enum Referent : uint8_t {
    NoReferent,  // a field like any other
    Weak,        // the referent of a WeakReference
    Soft         // of a SoftReference
  };

  uint64_t _words;
  uint64_t _references;  // in this block
  uint32_t _loader;      // 1 is the first that the shape names; 0 is none
  Kind     _kind;
  Referent _referent;

  bool is_object() const { return _kind <= Spanning; }
};

// The shape of a block of H2:
//
//   first     words from the block's start to the first entry
//   reach     words by which its last instance ends behind the block
//   carried   the number of references in elements of an array that began in an earlier block, and these
//   loaders   the number of class loaders, and their addresses, 8 bytes each
//   entries   each in order: a head, which has the words and in its low bits how it goes on; an entry that is not among the common
//             ones has a number then, of its loader and in the low bits of its referent
//
// A reference is the difference, in words, to the one before in the block; the first to the block's start.
class H2ShapeCode {
 public:
  enum Head : uint8_t {
    Leaf,            // no reference, no loader
    LeafOfFirst,     // the first loader
    Referrer,        // the number of references follows, and these
    ReferrerOfFirst,
    General,         // the number of a loader, and of a referent, comes before that of references
    SpanningArray,   // the same
    FillerHead,
    GapHead
  };

  static const unsigned HeadBits = 3;
  static const unsigned HeadMask = (1 << HeadBits) - 1;

  static const unsigned ReferentBits = 2;
  static const unsigned ReferentMask = (1 << ReferentBits) - 1;
};

// Reads a shape. The references of an entry come before the next entry, by reference() or skip().
class H2ShapeReader {
  const uint8_t* _pos;
  const uint8_t* _end;
  uint64_t       _last;      // the reference before
  uint64_t       _first;
  uint64_t       _reach;
  uint64_t       _carried;
  const uint8_t* _loaders;   // null before begin_entries()
  const uint8_t* _entry;     // the head of the last one

  uint64_t number() {
    uint64_t value;
    _pos = H2Varint::get(_pos, &value);
    return value;
  }

  void begin_general(H2ShapeEntry* entry, uint64_t loader_and_referent) {
    entry->_loader = (uint32_t)(loader_and_referent >> H2ShapeCode::ReferentBits);
    entry->_referent = H2ShapeEntry::Referent(loader_and_referent & H2ShapeCode::ReferentMask);
    entry->_references = number();
  }

 public:
  // Reads the shape of a block that begins at this word.
  H2ShapeReader(const uint8_t* bytes, size_t length, uint64_t start) :
    _pos(bytes), _end(bytes + length), _last(start), _first(0), _reach(0), _carried(0), _loaders(nullptr), _entry(nullptr) {
    _first = number();
    _reach = number();
    _carried = number();
  }

  uint64_t first() const   { return _first; }
  uint64_t reach() const   { return _reach; }
  uint64_t carried() const { return _carried; }

  uint64_t reference()        { return _last += H2Varint::unfold(number()); }
  void skip(uint64_t count)   { while (count-- > 0) { reference(); } }

  // After the references that were carried.
  void begin_entries() {
    const uint64_t count = number();
    _loaders = _pos;
    _pos += count * sizeof(uint64_t);
  }

  bool next(H2ShapeEntry* entry) {
    if (_pos == _end) {
      return false;
    }
    _entry = _pos;
    const uint64_t head = number();
    const unsigned code = head & H2ShapeCode::HeadMask;
    entry->_words = head >> H2ShapeCode::HeadBits;
    entry->_references = 0;
    entry->_loader = code == H2ShapeCode::LeafOfFirst || code == H2ShapeCode::ReferrerOfFirst ? 1 : 0;
    entry->_kind = H2ShapeEntry::Object;
    entry->_referent = H2ShapeEntry::NoReferent;
    switch (code) {
      case H2ShapeCode::Leaf:
      case H2ShapeCode::LeafOfFirst:
        break;
      case H2ShapeCode::Referrer:
      case H2ShapeCode::ReferrerOfFirst:
        entry->_references = number();
        break;
      case H2ShapeCode::SpanningArray:
        entry->_kind = H2ShapeEntry::Spanning;
        // fall through
      case H2ShapeCode::General:
        begin_general(entry, number());
        break;
      case H2ShapeCode::FillerHead:
        entry->_kind = H2ShapeEntry::Filler;
        break;
      default:
        entry->_kind = H2ShapeEntry::Gap;
    }
    return true;
  }

  // The address of a loader that an entry names.
  uint64_t loader(uint32_t number) const {
    uint64_t address;
    memcpy(&address, _loaders + (number - 1) * sizeof(address), sizeof(address));
    return address;
  }

  // The last entry, a gap, becomes a filler.
  static void make_filler(uint8_t* head) { *head = (uint8_t)((*head & ~H2ShapeCode::HeadMask) | H2ShapeCode::FillerHead); }
  const uint8_t* entry_head() const      { return _entry; }
};

// Writes a shape. Bytes is a buffer that grows: uint8_t* room(size_t), where so many bytes may be
// written, set_end(uint8_t*), clear(), data() and length().
template <typename Bytes>
class H2ShapeWriter {
  static const uint32_t MostLoaders = 64;

  Bytes    _carried_bytes;
  Bytes    _entries;
  uint64_t _last;
  uint64_t _first;
  uint64_t _reach;
  uint64_t _carried;
  uint64_t _loaders[MostLoaders];
  uint32_t _num_loaders;
  bool     _has_gaps;
  bool     _is_whole;
  uint32_t _objects;
  uint64_t _words;       // of these

  uint8_t* put_references(uint8_t* to, const uint64_t* references, size_t count) {
    for (size_t i = 0; i < count; i++) {
      to = H2Varint::put(to, H2Varint::fold(references[i] - _last));
      _last = references[i];
    }
    return to;
  }

  void put_free(uint64_t words, unsigned code) {
    _is_whole = false;
    _entries.set_end(H2Varint::put(_entries.room(H2Varint::MostBytes), words << H2ShapeCode::HeadBits | code));
  }

  static uint8_t* copy(uint8_t* to, const void* from, size_t length) {
    if (length > 0) {
      memcpy(to, from, length);
    }
    return to + length;
  }

 public:
  H2ShapeWriter() : _carried_bytes(), _entries(), _last(0), _first(0), _reach(0), _carried(0), _num_loaders(0), _has_gaps(false), _is_whole(true),
                    _objects(0), _words(0) {}

  void begin(uint64_t start) {
    _carried_bytes.clear();
    _entries.clear();
    _last = start;
    _first = 0;
    _reach = 0;
    _carried = 0;
    _num_loaders = 0;
    _has_gaps = false;
    _is_whole = true;
    _objects = 0;
    _words = 0;
  }

  void set_first(uint64_t words) { _first = words; }
  void set_reach(uint64_t words) { _reach = words; }
  uint64_t reach() const         { return _reach; }
  bool has_gaps() const          { return _has_gaps; }
  // A row of objects and nothing else, of which none names a loader, and no array of references lies in another block, too.
  bool is_whole() const          { return _is_whole && _num_loaders == 0 && _objects > 0; }
  uint32_t objects() const       { return _objects; }
  uint64_t words() const         { return _words; }

  // Before any entry.
  void carry(const uint64_t* references, size_t count) {
    _carried += count;
    _is_whole = false;
    _carried_bytes.set_end(put_references(_carried_bytes.room(count * H2Varint::MostBytes), references, count));
  }

  // The number of a loader, 0 for null, or UINT32_MAX if the shape has too many.
  uint32_t loader(uint64_t address) {
    if (address == 0) {
      return 0;
    }
    for (uint32_t i = _num_loaders; i > 0; i--) {
      if (_loaders[i - 1] == address) {
        return i;
      }
    }
    if (_num_loaders == MostLoaders) {
      return UINT32_MAX;
    }
    _loaders[_num_loaders++] = address;
    return _num_loaders;
  }

  void object(uint64_t words, uint32_t loader, bool spans, const uint64_t* references, size_t count,
              H2ShapeEntry::Referent referent = H2ShapeEntry::NoReferent) {
    _objects++;
    _words += words;
    _is_whole = _is_whole && !spans;
    const bool general = spans || loader > 1 || referent != H2ShapeEntry::NoReferent;
    const unsigned plain = (count > 0 ? (unsigned)H2ShapeCode::Referrer : (unsigned)H2ShapeCode::Leaf) + loader;
    const unsigned code = spans ? (unsigned)H2ShapeCode::SpanningArray : general ? (unsigned)H2ShapeCode::General : plain;
    uint8_t* to = _entries.room((count + 3) * H2Varint::MostBytes);
    to = H2Varint::put(to, words << H2ShapeCode::HeadBits | code);
    if (general) {
      to = H2Varint::put(to, (uint64_t)loader << H2ShapeCode::ReferentBits | referent);
    }
    if (general || count > 0) {
      to = H2Varint::put(to, count);
    }
    _entries.set_end(put_references(to, references, count));
  }

  void filler(uint64_t words) { put_free(words, H2ShapeCode::FillerHead); }

  void gap(uint64_t words) {
    put_free(words, H2ShapeCode::GapHead);
    _has_gaps = true;
  }

  // At most.
  size_t length() const {
    return 4 * H2Varint::MostBytes + _carried_bytes.length() + _num_loaders * sizeof(uint64_t) + _entries.length();
  }

  // Returns the end.
  uint8_t* finish(uint8_t* to) const {
    to = H2Varint::put(to, _first);
    to = H2Varint::put(to, _reach);
    to = H2Varint::put(to, _carried);
    to = copy(to, _carried_bytes.data(), _carried_bytes.length());
    to = H2Varint::put(to, _num_loaders);
    to = copy(to, _loaders, _num_loaders * sizeof(uint64_t));
    return copy(to, _entries.data(), _entries.length());
  }
};

#endif // SHARE_GC_H2_H2SHAPECODE_HPP
