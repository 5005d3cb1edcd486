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

#ifndef SHARE_GC_H2_H2OBJECTLIST_HPP
#define SHARE_GC_H2_H2OBJECTLIST_HPP

#include "gc/h2/h2Heap.hpp"
#include "memory/allocation.hpp"
#include "runtime/prefetch.inline.hpp"
#include "utilities/globalDefinitions.hpp"
#include "utilities/growableArray.hpp"

// Objects of H1 in a given order, 4 bytes each (8 where H1 is larger than 4 G
// times the object alignment). Grows by chunks, so that a long list never exists
// twice. One thread at a time.
class H2ObjectList {
  static const size_t LogChunkBytes = 16;

  GrowableArrayCHeap<char*, mtGC> _chunks;
  size_t                          _length;
  const size_t                    _log_entry;   // log2 of the bytes of an entry

  NONCOPYABLE(H2ObjectList);

  size_t log_per_chunk() const { return LogChunkBytes - _log_entry; }

  char* entry(size_t i) const {
    return _chunks.at((int)(i >> log_per_chunk())) + ((i & right_n_bits((int)log_per_chunk())) << _log_entry);
  }

 public:
  // Entries between one that is prefetched and the one in hand.
  static const size_t Ahead = 8;

  explicit H2ObjectList(size_t h1_words) :
    _chunks(), _length(0),
    _log_entry((h1_words >> LogMinObjAlignment) <= max_juint ? 2 : 3) {}

  ~H2ObjectList() { clear(); }

  void clear() {
    for (char* chunk : _chunks) {
      FREE_C_HEAP_ARRAY(char, chunk);
    }
    _chunks.clear();
    _length = 0;
  }

  size_t length() const { return _length; }

  void append(oop obj) {
    if ((_length & right_n_bits((int)log_per_chunk())) == 0) {
      _chunks.append(NEW_C_HEAP_ARRAY(char, (size_t)1 << LogChunkBytes, mtGC));
    }
    const size_t offset = pointer_delta(cast_from_oop<HeapWord*>(obj), H2Heap::h1().start()) >> LogMinObjAlignment;
    if (_log_entry == 2) {
      *(uint32_t*)entry(_length) = (uint32_t)offset;
    } else {
      *(uint64_t*)entry(_length) = offset;
    }
    _length++;
  }

  // Appends all of another list, which is empty then.
  void take(H2ObjectList* other) {
    for (size_t i = 0; i < other->_length; i++) {
      append(other->at(i));
    }
    other->clear();
  }

  // Makes the CPU fetch what is soon to come behind entry i, which lies anywhere.
  void prefetch(size_t i) const {
    const size_t ahead = i + Ahead;
    if (ahead < _length) {
      Prefetch::write(cast_from_oop<HeapWord*>(at(ahead)), 0);
    }
  }

  oop at(size_t i) const {
    const size_t offset = _log_entry == 2 ? *(uint32_t*)entry(i) : *(uint64_t*)entry(i);
    return cast_to_oop(H2Heap::h1().start() + (offset << LogMinObjAlignment));
  }
};

#endif // SHARE_GC_H2_H2OBJECTLIST_HPP
