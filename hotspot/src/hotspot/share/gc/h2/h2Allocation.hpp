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


#ifndef SHARE_GC_H2_H2ALLOCATION_HPP
#define SHARE_GC_H2_H2ALLOCATION_HPP

#include "gc/h2/h2Exhaustion.hpp"
#include "gc/h2/h2LastChance.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "memory/allocation.hpp"

// One allocation in H1 that no TLAB has room for, by the Java thread that allocates.
class H2Allocation : public StackObj {
  const size_t _words;
  const bool   _is_tlab;
  H2LastChance _last_chance;
  bool         _failed;

  bool is_beyond_limit() const { return H2Exhaustion::fails(_words << LogHeapWordSize, _is_tlab); }
  // A TLAB that fails is followed by an allocation outside, which collects.
  bool fails_at_last() const   { return _is_tlab || H2Exhaustion::fails_after_full_gc(); }

 public:
  H2Allocation(size_t words, bool is_tlab) : _words(words), _is_tlab(is_tlab), _last_chance(), _failed(false) {
    H2Stresser::before_allocation(words);
  }

  // Whether the memory limit has no room for it, before it is tried.
  bool fails() const { return is_beyond_limit() && fails_at_last(); }

  // After a collection, which may have found no room in the heap (null), or have left the process beyond the limit.
  bool may_try_again(HeapWord* result) {
    if (result == nullptr) {
      return _last_chance.take();
    }
    if (!is_beyond_limit()) {
      return false;
    }
    CollectedHeap::fill_with_object(result, _words);
    _failed = fails_at_last();
    return !_failed;
  }

  // The program's object then.
  HeapWord* after_gc(HeapWord* result) const { return _failed ? nullptr : result; }
};

#endif // SHARE_GC_H2_H2ALLOCATION_HPP
