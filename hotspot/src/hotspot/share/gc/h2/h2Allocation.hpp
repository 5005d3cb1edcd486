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

#include "gc/h2/h2Budget.hpp"
#include "gc/h2/h2LastChance.hpp"
#include "gc/h2/h2Stresser.hpp"
#include "gc/shared/collectedHeap.hpp"
#include "memory/allocation.hpp"

// One allocation in H1 that no TLAB has room for, by the Java thread that allocates.
class H2Allocation : public StackObj {
  const size_t _words;
  const bool   _is_tlab;
  H2LastChance _last_chance;

 public:
  H2Allocation(size_t words, bool is_tlab) : _words(words), _is_tlab(is_tlab), _last_chance() { H2Stresser::before_allocation(words); }

  // Before it is tried.
  bool fails() const { return H2Budget::fails_allocation(_is_tlab); }

  // After a collection, which may have found no room for it (null).
  bool may_try_again(const HeapWord* result) { return result == nullptr && _last_chance.take(); }

  // The program's object then: null if the memory limit has no room for what the heap has.
  HeapWord* after_gc(HeapWord* result) const {
    if (result != nullptr && fails()) {
      CollectedHeap::fill_with_object(result, _words);
      return nullptr;
    }
    return result;
  }
};

#endif // SHARE_GC_H2_H2ALLOCATION_HPP
